import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_AMOUNT, printAmount, smaller } from './amount.ts'

test('amounts are printed in tokens without trailing zeros', () => {
  assert.equal(printAmount(1_500_000_000n, 9, 'IKA'), '1.5 IKA')
  assert.equal(printAmount(2_000_000_000n, 9, 'IKA'), '2 IKA')
  assert.equal(printAmount(1n, 9, 'IKA'), '0.000000001 IKA')
  assert.equal(printAmount(7n, 0, 'PTS'), '7 PTS')
})

test('MAX_AMOUNT is the largest u64 of the chain', () => {
  assert.equal(MAX_AMOUNT, 18_446_744_073_709_551_615n)
})

test('the smaller of two amounts', () => {
  assert.deepEqual([smaller(1n, 2n), smaller(2n, 1n), smaller(2n, 2n)], [1n, 1n, 2n])
})
