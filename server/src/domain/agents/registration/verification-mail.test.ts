import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../../../fault.ts'
import { verificationMail } from './verification-mail.ts'

const token = 'ab'.repeat(32)
const mail = (publicUrl: string) => verificationMail({ to: 'ann@example.com', publicUrl, token, hours: 24 })

test('text and HTML part have the same link and its validity', () => {
  const { to, subject, text, html } = mail('https://stakewright.example')
  const link = `https://stakewright.example/verify?token=${token}`
  assert.equal(to, 'ann@example.com')
  assert.doesNotMatch(subject, /[\r\n]/)
  assert(text.split('\n').includes(link))
  assert(html.includes(`<a href="${link}">${link}</a>`))
  for (const part of [text, html]) {
    assert.match(part, /within 24 hours/)
    assert(part.includes(`A program calls ${call('verifyEmail')} with the token`))
    assert.equal(
      part.match(/https?:/g)?.length,
      part === text ? 1 : 2,
      'no link activates the key when it is opened',
    )
  }
})

test('the URL of the service is escaped in the HTML', () => {
  const { html } = mail('https://x.example/"><script>alert(1)</script>&\'')
  assert.doesNotMatch(html, /<script|"">|&'/)
})
