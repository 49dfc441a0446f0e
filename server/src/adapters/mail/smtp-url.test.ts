import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSmtpUrl } from './smtp-url.ts'

const GOOD = [
  ['smtp://mail.example.com', { port: 587, secure: false, requireTLS: false }],
  ['smtp://mail.example.com:25', { port: 25, secure: false, requireTLS: false }],
  ['smtps://mail.example.com', { port: 465, secure: true, requireTLS: false }],
  ['smtp://me:secret@mail.example.com', { port: 587, secure: false, requireTLS: true }],
  ['smtp://me:secret@127.0.0.1:2525', { port: 2525, secure: false, requireTLS: false }],
  ['smtp://me:secret@[::1]:2525', { port: 2525, secure: false, requireTLS: false }],
  ['smtp://me:secret@127.0.0.1.example.com', { port: 587, secure: false, requireTLS: true }],
  ['smtp://mail.example.com?requireTLS=true', { port: 587, secure: false, requireTLS: true }],
] as const

for (const [url, expected] of GOOD) {
  test(`${url}: port and TLS as expected; with a password TLS is required except on loopback`, () => {
    const { port, secure, requireTLS } = readSmtpUrl(url).connection
    assert.deepEqual({ port, secure, requireTLS }, expected)
  })
}

const BAD = [
  'http://mail.example.com',
  'mail.example.com:25',
  'smtp://',
  '',
  'smtp://me:secret@mail.example.com?ignoreTLS=true',
  'smtp://me:secret@mail.example.com?requireTLS=maybe',
  'smtp://me:secret@:99999',
]

for (const url of BAD) {
  test(`${url || 'nothing'} is refused without repeating the password`, () => {
    assert.throws(
      () => readSmtpUrl(url),
      (error: Error) => error.message.startsWith('SMTP_URL') && !error.message.includes('secret'),
    )
  })
}
