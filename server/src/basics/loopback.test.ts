import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTrustworthyUrl } from '#adapters/jwt/fetch-key-set.ts'
import { readSmtpUrl } from '#adapters/mail/smtp-url.ts'
import { ownOrigins } from '#http/own-origin.ts'

const isTrusted = (host: string): boolean => {
  try {
    assertTrustworthyUrl(`http://${host}/keys`)
    return true
  } catch {
    return false
  }
}

const WAYS: Readonly<Record<string, (host: string) => boolean>> = {
  'the origin of a page': (host) => ownOrigins(undefined, [])(`http://${host}`),
  'keys over plain HTTP': isTrusted,
  'a mail password in the clear': (host) => !readSmtpUrl(`smtp://u:p@${host}`).connection.requireTLS,
}

const HOSTS = {
  localhost: true,
  '127.0.0.1': true,
  '127.0.0.2': true,
  '127.255.255.254': true,
  '[::1]': true,
  '128.0.0.1': false,
  '0.0.0.0': false,
  '[::2]': false,
  'localhost.example.com': false,
  '127.0.0.1.example.com': false,
}

for (const [what, isLocal] of Object.entries(WAYS)) {
  test(`${what}: the same hosts count as loopback in all uses`, () => {
    const judged = Object.fromEntries(Object.keys(HOSTS).map((host) => [host, isLocal(host)]))
    assert.deepEqual(judged, HOSTS)
  })
}
