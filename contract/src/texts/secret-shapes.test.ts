import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasSecret } from './secret-shapes.ts'

const KEY = `stk_${'aB3'.repeat(15)}x`
const LONGEST_NAME = 64

test('a key is found in a text as long as a name, whatever stands beside it', () => {
  const before = fc.integer({ min: 0, max: LONGEST_NAME - KEY.length })
  fc.assert(
    fc.property(before, fc.constantFrom('x', 'A', '0', '_', '-', ' ', '.'), (count, filler) =>
      hasSecret((filler.repeat(count) + KEY).padEnd(LONGEST_NAME, filler)),
    ),
  )
})

test('a key is found in a longer text behind and before a character that is in no word', () => {
  for (const text of [
    `my ${KEY}`,
    `"key":"${KEY}"`,
    `https://x/?key=${KEY}&y`,
    `${'word '.repeat(20)}${KEY}.`,
  ])
    assert(hasSecret(text), text)
})

test('ids of a chain, signatures and other words that contain the form of a key are none', () => {
  for (const text of [
    'yield-scout',
    'stk_',
    KEY.slice(0, -1),
    `stk-${KEY.slice(4)}`,
    `stake_0x${'083d'.repeat(16)}`,
    // A signature of 64 bytes in base64url.
    `0123456789-ab_${'c'.repeat(46)}${'d'.repeat(26)}`,
  ])
    assert(!hasSecret(text), text)
})

test('no signature of 64 bytes in base64url is taken for a key, wherever it contains the form of one', () => {
  const SIGNATURE = 86
  for (let at = 0; at <= SIGNATURE - KEY.length; at += 1)
    for (const filler of ['a', '0', '-'])
      assert(!hasSecret((filler.repeat(at) + KEY).padEnd(SIGNATURE, filler)), `${filler} ${at}`)
})
