import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toApy, toSimple } from '../src/data/allocation/rates.ts'

test('`toApy` compounds a simple rate every epoch, and `toSimple` inverts it', () => {
  // 1 % each of twelve months.
  assert(Math.abs(toApy(12, 12) - 12.682503013196978) < 1e-9)
  assert.equal(toApy(0, 365), 0)
  for (const epochs of [1, 26, 365, 8760])
    for (const rate of [-5, 0.001, 7, 15.398, 120])
      assert(Math.abs(toSimple(toApy(rate, epochs), epochs) - rate) < 1e-9, `${rate} at ${epochs}`)
})
