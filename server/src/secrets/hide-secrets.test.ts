import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { hideInError, hideNothing, hiderOf } from './hide-secrets.ts'
import { secretsOfHeader, secretsOfStoreUrl, secretsOfUrl } from './secrets-of-url.ts'

const everyCharacter = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** Encodings in which a remote service may repeat a secret. */
const SPELLINGS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in a URL': encodeURIComponent,
  'in a URL, every character': everyCharacter,
  'in JSON': inJson,
  'in JSON in JSON': (secret) => inJson(inJson(secret)),
  'in JSON, escaped': (secret) =>
    [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'in JSON in a URL': (secret) => encodeURIComponent(inJson(secret)),
  'in a page': (secret) => secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  'in capitals': (secret) => secret.toUpperCase(),
  'in JSON with escaped slashes': (secret) => inJson(secret).replaceAll('/', '\\/'),
  'in a page, by decimal numbers': (secret) =>
    [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  'in a page, by hexadecimal numbers': (secret) =>
    [...secret].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join(''),
  'in a page, plus signs by number': (secret) =>
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;').replaceAll('+', '&#43;'),
  'in a string literal': (secret) =>
    [...secret].map((letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  'in a string literal, with braces': (secret) =>
    [...secret].map((letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`).join(''),
  'as base64': (secret) => Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  'as hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
}

suite('a secret is hidden', () => {
  const secret = fc.string({ unit: fc.constantFrom(...'aZ09"\\/%&<+=.$^ -'), minLength: 6, maxLength: 40 })
  for (const [name, spell] of Object.entries(SPELLINGS)) {
    test(name, () => {
      fc.assert(
        fc.property(secret, (text) => {
          // A backslash before the first character is part of the encoding and reveals nothing.
          assert.match(hiderOf([text])(`<<${spell(text)}>>`), /^<<\\?\*\*\*>>$/)
        }),
      )
    })
  }

  test('when it is short: only as a separate word', () => {
    const hide = hiderOf(['abc', 'v1'])
    assert.equal(hide('/abc/x?key=abc, "abc" abcd v12 /v1/'), '/***/x?key=***, "***" abcd v12 /***/')
  })

  test('when it is a prefix of another secret', () => {
    assert.equal(hiderOf(['secret', 'secret-of-two'])('secret-of-two secret'), '*** ***')
  })

  test('in any part of a URL, and as Basic credentials', () => {
    const hide = hiderOf(secretsOfUrl('https://ann:p%40ss@node.example.org/v9/k3y?token=t0k&q=a%20b#h4h'))
    const sent = Buffer.from('ann:p@ss').toString('base64')
    assert.equal(
      hide(`ann p@ss p%40ss ${sent} /v9/k3y ?token=t0k a b #h4h`),
      '*** *** *** *** /***/*** ?token=*** *** #***',
    )
    assert.equal(hide('node.example.org'), 'node.example.org')
  })

  test('in a header, without its scheme', () => {
    assert.equal(hiderOf(secretsOfHeader('Bearer abcdefgh'))('no Bearer abcdefgh'), 'no Bearer ***')
  })
})

test('user and database names in the URL of a store are not hidden', () => {
  const hide = hiderOf(secretsOfStoreUrl('postgres://stakewright:hunter2@db/stakewright?sslpassword=hunter3'))
  assert.equal(hide('stakewright hunter2 hunter3'), 'stakewright *** ***')
})

test('without secrets the text is returned unchanged', () => assert.equal(hiderOf(['', 'x']), hideNothing))

test('an error is copied with its causes, without secrets; one without secrets is returned itself', () => {
  const hide = hiderOf(['hunter2'])
  const cause = new TypeError('no hunter2')
  const shown = hideInError(Object.assign(new Error('it failed', { cause }), { code: 'E' }), hide)
  assert(shown instanceof Error && shown.cause instanceof Error && 'code' in shown)
  assert.deepEqual([shown.code, shown.cause.name, shown.cause.message], ['E', 'TypeError', 'no ***'])
  assert.doesNotMatch(`${shown.stack}${shown.cause.stack}`, /hunter2/)
  const clean = new Error('it failed', { cause: new Error('so') })
  assert.equal(hideInError(clean, hide), clean)
})
