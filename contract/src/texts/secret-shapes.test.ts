import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasSecret } from './secret-shapes.ts'

const KEY = `stk_${'aB3'.repeat(15)}x`

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
  ])
    assert(hasSecret(text), text)
  for (const text of [
    'yield-scout',
    'stk_',
    KEY.slice(0, -1),
    `stk-${KEY.slice(4)}`,
    `stake_0x${'083d'.repeat(16)}`,
  ])
    assert(!hasSecret(text), text)
})
