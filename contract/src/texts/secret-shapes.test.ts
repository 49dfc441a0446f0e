import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { crc32Of, toChecksum } from './key-form.ts'
import { hasSecret } from './secret-shapes.ts'

const BODY = `stk_${'aB3'.repeat(13)}x`
const KEY = BODY + toChecksum(crc32(BODY))
const MISTYPED = `stk_${'aB3'.repeat(15)}x`

test('a key is found in a text whatever stands directly before and after it', () => {
  for (const text of [
    KEY,
    `my ${KEY}`,
    `key_${KEY}`,
    `_${KEY}_`,
    `x${KEY}`,
    `${KEY}x`,
    `\\n${KEY}`,
    `%3d${KEY}`,
    `${'Zm9v'.repeat(20)}${KEY}${'Zm9v'.repeat(20)}`,
  ])
    assert(hasSecret(text), text)
})

test('a mistyped key is found as a word', () => {
  for (const text of [MISTYPED, `my ${MISTYPED}`, `"key":"${MISTYPED}"`, `https://x/?key=${MISTYPED}&y`])
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

test('CRC-32 is that of zlib', () => {
  const ascii = fc.string({ unit: 'binary-ascii' })
  fc.assert(fc.property(ascii, (text) => crc32Of(text) === crc32(text)))
})
