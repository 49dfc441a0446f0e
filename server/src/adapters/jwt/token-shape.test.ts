import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTokenShape } from './token-shape.ts'

const part = (value: string | Buffer) => Buffer.from(value).toString('base64url')
const HEADER = part('{"alg":"HS256"}')
const SIGNATURE = part('0123456789ab')
const token = (claims: string | Buffer, signature = SIGNATURE) => `${HEADER}.${part(claims)}.${signature}`

/** A token of exactly `length` characters, found by varying the length of claims and signature. */
function tokenOf(length: number): string {
  for (let claims = Math.floor(length * 0.7); claims < length; claims += 1) {
    for (const signature of [12, 13, 14]) {
      const found = token(`{"iss":"me","x":"${'y'.repeat(claims)}"}`, part('s'.repeat(signature)))
      if (found.length === length) return found
    }
  }
  throw new Error(`There is no token of ${length} characters.`)
}

test('a token of 8,192 characters is parsed; one of 8,193 is refused', () => {
  assert.deepEqual(readTokenShape(tokenOf(8_192)), { algorithm: 'HS256', issuer: 'me' })
  assert.equal(readTokenShape(tokenOf(8_193)), undefined)
})

test('a token whose signature is not canonical base64url is refused', () => {
  assert.deepEqual(readTokenShape(token('{"iss":"me"}')), { algorithm: 'HS256', issuer: 'me' })
  for (const signature of ['A', 'AAAAA', 'AB', `${SIGNATURE}_`]) {
    assert.equal(readTokenShape(token('{"iss":"me"}', signature)), undefined, signature)
  }
})

test('a token whose claims are not valid UTF-8 is refused', () => {
  const bytes = Buffer.concat([Buffer.from('{"iss":"me'), Buffer.of(0xff), Buffer.from('"}')])
  assert.equal(readTokenShape(token(bytes)), undefined)
})
