import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bcs } from '@mysten/sui/bcs'
import fc from 'fast-check'
import { decode, toDisplayName, toDisplayText, toWhole, UnusableAnswer } from './decode.ts'
import { stakedIka } from './ika-layouts.ts'
import { id, text } from './move-layouts.ts'

const token = {
  id: `0x${'1'.repeat(64)}`,
  state: { Withdrawing: { withdraw_epoch: 9 } },
  validator_id: `0x${'2'.repeat(64)}`,
  principal: { value: 5n },
  activation_epoch: 3,
}
const whole = stakedIka.serialize(token).toBytes()

test('a serialized value is decoded to the same value', () => {
  const read = decode(stakedIka, whole, 'a token')
  assert.equal(read.state.Withdrawing?.withdraw_epoch, 9)
  assert.equal(read.principal.value, 5n)
})

test('truncated bytes and extra bytes are refused, at every length', () => {
  for (let length = 0; length < whole.length; length += 1) {
    assert.throws(() => decode(stakedIka, whole.subarray(0, length), 'a token'), UnusableAnswer)
  }
  assert.throws(() => decode(stakedIka, Buffer.concat([whole, Buffer.of(0)]), 'a token'), UnusableAnswer)
})

test('decoding a view never reads beyond its end into the underlying buffer', () => {
  const name = text.serialize('a validator').toBytes()
  const answer = Buffer.concat([name.subarray(0, 4), name.subarray(4)])
  assert.throws(() => decode(text, answer.subarray(0, 4), 'a name'), UnusableAnswer)
})

test('a non-canonical encoding of a value is refused', () => {
  assert.throws(() => decode(bcs.bool(), Uint8Array.of(2), 'a flag'), UnusableAnswer)
  assert.throws(() => decode(text, Uint8Array.of(1, 0xff), 'a name'), UnusableAnswer)
  assert.throws(() => decode(bcs.vector(bcs.u8()), Uint8Array.of(0x80, 0x00), 'a list'), UnusableAnswer)
  assert.throws(() => decode(bcs.option(bcs.u8()), Uint8Array.of(2, 1), 'an option'), UnusableAnswer)
})

test('a length prefix longer than the bytes is refused', () => {
  const huge = Buffer.concat([Buffer.of(0xff, 0xff, 0xff, 0xff, 0x0f), Buffer.alloc(64)])
  assert.throws(() => decode(bcs.vector(bcs.u64()), huge, 'a list'), UnusableAnswer)
})

test('an id has the bytes and the text of the SDK; a text that is no id is refused', () => {
  const ids = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(ids, (bytes) => {
      const value = bcs.Address.parse(bytes)
      assert.equal(id.parse(bytes), value)
      assert.deepEqual(id.serialize(value).toBytes(), bytes)
    }),
  )
  assert.deepEqual(id.serialize('0x2').toBytes(), bcs.Address.serialize('0x2').toBytes())
  for (const value of ['', '0x', '11'.repeat(32), `0x${'1'.repeat(65)}`, '0xg', ' 0x1', '0x1\n'])
    assert.throws(() => id.serialize(value), { message: `Not an address: ${value}` })
})

test('numbers that cannot be an epoch or a time are refused', () => {
  assert.throws(() => toWhole(2n ** 53n, 'an epoch'), UnusableAnswer)
  assert.throws(() => toWhole(-1n, 'an epoch'), UnusableAnswer)
})

test('a display name is one line of at most 128 characters, without control characters', () => {
  assert.equal(toDisplayName(' a\u0000\nb\u001b[31m '), 'a b [31m')
  assert.equal(toDisplayName('x'.repeat(5_000)).length, 128)
  assert.equal(toDisplayName('a\u2028b\u2029c'), 'a b c')
})

test('cutting a name never splits a surrogate pair', () => {
  assert.equal(toDisplayName(`${'x'.repeat(127)}😀`), 'x'.repeat(127))
  assert.equal(toDisplayName(`${'x'.repeat(126)}😀`), `${'x'.repeat(126)}😀`)
  assert(toDisplayText(`${'x'.repeat(999)}😀`)?.isWellFormed())
  assert(toDisplayName('\ud83d x').isWellFormed())
})

test('bidirectional control characters are removed from a name, and an empty name is replaced', () => {
  assert.equal(toDisplayName('Good\u202e 000,1 sekatS\u2066\u200f'), 'Good 000,1 sekatS')
  for (const name of ['', ' \n', '\u200b\u202e']) assert.equal(toDisplayName(name), 'unnamed')
})
