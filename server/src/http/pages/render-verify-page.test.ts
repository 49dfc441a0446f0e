import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/any-text.ts'
import { renderVerifyPage } from './render-verify-page.ts'

const TOKEN = '0123456789abcdef'.repeat(4)
const page = renderVerifyPage(TOKEN)
const policy = page.headers['content-security-policy'] ?? ''

test('the page contains the token once, in a form whose action is the API', () => {
  assert.equal(page.status, 200)
  assert.equal(page.html.split(TOKEN).length, 2)
  assert.match(page.html, /<form id="form" method="get" action="api\/v1\/agents\/verify">/)
})

test('the Content-Security-Policy allows exactly the script and the style of the page', () => {
  for (const [tag, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ] as const) {
    const inline = [...page.html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
    assert.equal(inline.length, 1)
    const hash = createHash('sha256')
      .update(inline[0]?.[1] ?? '')
      .digest('base64')
    assert(policy.split('; ').includes(`${directive} 'sha256-${hash}'`))
  }
  assert.match(policy, /^default-src 'none';/)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
})

test('the page loads nothing from elsewhere and must not be stored', () => {
  assert.doesNotMatch(page.html, /\b(src|srcset)=|\bhref="(?!\w+")|url\(|@import|\son\w+=|style="/)
  assert.equal(page.headers['cache-control'], 'no-store')
})

test('pages for different tokens differ only in the token', () => {
  const other = 'f'.repeat(64)
  assert.equal(renderVerifyPage(other).html, page.html.replace(TOKEN, other))
})

const malformed = renderVerifyPage(undefined)

test('a token that is not 64 hex digits: the same 400 page always, without the token', () => {
  assert.equal(malformed.status, 400)
  assert.doesNotMatch(malformed.html, /<form/)
  const odd = fc.oneof(
    anyText({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 63 }),
    fc.constantFrom(
      `${TOKEN}\n`,
      `${TOKEN}"><script>alert(1)</script>`,
      `"><img src=x onerror=alert(1)>${TOKEN}`,
      ` ${TOKEN}`,
      `${TOKEN}${TOKEN}`,
      `${'０'.repeat(64)}`,
    ),
  )
  fc.assert(fc.property(odd, (token) => assert.deepEqual(renderVerifyPage(token), malformed)))
})
