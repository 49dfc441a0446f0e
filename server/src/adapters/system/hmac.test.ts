import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hmacSha256 } from './hmac.ts'

test('it is the HMAC that everybody else computes, for every key of up to a block and every text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ unit: 'binary' }), (key, text) => {
      assert.equal(hmacSha256(key)(text), createHmac('sha256', key).update(text).digest('hex'))
    }),
  )
})
