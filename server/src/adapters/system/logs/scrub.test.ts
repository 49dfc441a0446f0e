import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../../test/any-text.ts'
import { scrub, scrubLines } from './scrub.ts'

const base62 = (length: number) => fc.stringMatching(new RegExp(`^[0-9A-Za-z]{${length}}$`))
const base64url = (length: number) => fc.stringMatching(new RegExp(`^[0-9A-Za-z_-]{${length}}$`))

const secrets: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'API keys': fc
    .tuple(fc.constantFrom('stk', 'ika', 'a1'), base62(46))
    .map(([prefix, rest]) => `${prefix}_${rest}`),
  JWTs: fc.tuple(base64url(30), base64url(60), base64url(43)).map((parts) => `eyJ${parts.join('.')}`),
  'verification tokens': fc.stringMatching(/^[0-9a-f]{64}$/),
}

suite('scrubbing of log texts', () => {
  for (const [name, secret] of Object.entries(secrets)) {
    test(`${name} are hidden, next to any character`, () => {
      const around = fc.constantFrom('', ' ', '"', "'", ':', '=', '/', '(', ',', '\n')
      fc.assert(
        fc.property(around, secret, around, (before, text, after) => {
          assert.ok(!scrub(`x${before === '' ? ' ' : before}${text}${after} y`).includes(text))
        }),
      )
    })
  }

  const hidden: readonly (readonly [string, string])[] = [
    ['Authorization: Bearer abcdef.123456', 'Authorization: Bearer [credential]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [credential]'],
    ['GET /verify?token=abc&x=1', 'GET /verify?token=[hidden]&x=1'],
    ['postgres://me:secret@db/stake', 'postgres://me:[password]@db/stake'],
    ['redis://:secret@cache', 'redis://:[password]@cache'],
  ]
  for (const [text, clean] of hidden) test(text, () => assert.equal(scrub(text), clean))

  const kept = [
    'connect ECONNREFUSED 127.0.0.1:5432',
    `object 0x${'ab'.repeat(32)} is gone`,
    'GET /api/v1/staking/validators/{id}',
    'at openEdge (file:///app/server/src/http/edge.ts:12:3)',
    'prüfen €5 😀',
  ]
  for (const text of kept) test(`kept: ${text}`, () => assert.equal(scrub(text), text))

  test('control, line-separator and bidi characters of any text are escaped', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const clean = scrub(text)
        assert.doesNotMatch(clean, /[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}\ufeff]/u)
        assert.ok(clean.isWellFormed())
      }),
      { numRuns: 5_000 },
    )
    assert.equal(scrub('a\r\nb\u001b[31mc\u202ed'), 'a\\u000d\\u000ab\\u001b[31mc\\u202ed')
  })

  test('a stack trace keeps its line breaks; other control characters are escaped', () => {
    assert.equal(scrubLines('Error: a\r\n    at b'), 'Error: a\\u000d\n    at b')
  })
})
