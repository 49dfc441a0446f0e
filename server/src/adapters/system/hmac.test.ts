import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/any-text.ts'
import { hmacSha256 } from './hmac.ts'

test('the result equals that of node:crypto, for keys of up to one block and any text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), anyText(), (key, text) => {
      assert.equal(hmacSha256(key)(text), createHmac('sha256', key).update(text).digest('hex'))
    }),
  )
})
