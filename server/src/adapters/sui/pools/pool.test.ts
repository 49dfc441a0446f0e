import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcedCommission, type PoolAccount, poolAmounts } from './pool.ts'

/** The pool of the contract's own run, after its second epoch began. */
const POOL: PoolAccount = {
  balance: 159_500_000_000n,
  shares: 145_662_100_456n,
  pendingStake: [],
  pendingSharesWithdraw: [],
  preActiveWithdrawals: [],
}

test('shares that leave count at what they are worth now', () => {
  const leaving = { ...POOL, pendingSharesWithdraw: [{ key: 3, value: 100_000_000_000n }] }
  assert.deepEqual(poolAmounts(leaving, 2), {
    stake: 159_500_000_000n,
    pendingStake: 0n,
    withdrawingStake: 109_500_000_000n,
    nextStake: 50_000_000_000n,
  })
})

test('stake that was withdrawn before it became active leaves as principal', () => {
  const pool = {
    ...POOL,
    pendingStake: [{ key: 3, value: 9n }],
    preActiveWithdrawals: [{ key: 4, value: 5n }],
  }
  const { pendingStake, withdrawingStake, nextStake } = poolAmounts(pool, 2)
  assert.deepEqual(
    { pendingStake, withdrawingStake, nextStake },
    {
      pendingStake: 9n,
      withdrawingStake: 5n,
      nextStake: 159_500_000_004n,
    },
  )
})

test('what is due already counts, though nobody has touched the pool since', () => {
  const late: PoolAccount = {
    balance: 100n,
    shares: 100n,
    pendingStake: [
      { key: 5, value: 7n },
      { key: 9, value: 1n },
    ],
    pendingSharesWithdraw: [{ key: 6, value: 30n }],
    preActiveWithdrawals: [],
  }
  assert.deepEqual(poolAmounts(late, 8), {
    stake: 77n,
    pendingStake: 1n,
    withdrawingStake: 0n,
    nextStake: 78n,
  })
})

test('the last announced commission counts, or the present one', () => {
  const pending = [
    { key: 8, value: 900n },
    { key: 7, value: 100n },
  ]
  for (const lateCommissionHolds of [false, true]) {
    const rules = { epoch: 6, lateCommissionHolds }
    assert.deepEqual(announcedCommission(pending, 500, rules), { rate: 900n, fromEpoch: 8 })
    assert.deepEqual(announcedCommission([], 500, rules), { rate: 500n, fromEpoch: undefined })
  }
})

test('a raise that is taken back an epoch later counts, and of late announcements the last', () => {
  const back = [
    { key: 7, value: 10_000n },
    { key: 8, value: 500n },
  ]
  const at = (epoch: number, lateCommissionHolds: boolean) =>
    announcedCommission(back, 500, { epoch, lateCommissionHolds })
  for (const lateHolds of [false, true]) assert.deepEqual(at(6, lateHolds), { rate: 10_000n, fromEpoch: 7 })
  assert.deepEqual(at(7, true), { rate: 10_000n, fromEpoch: 8 })
  assert.deepEqual(at(8, true), { rate: 500n, fromEpoch: 9 })
})

test('a commission whose epoch came while the pool was outside holds later, or never', () => {
  const pending = [
    { key: 5, value: 900n },
    { key: 4, value: 100n },
  ]
  const at = (epoch: number, lateCommissionHolds: boolean) =>
    announcedCommission(pending, 500, { epoch, lateCommissionHolds })
  assert.deepEqual(at(9, true), { rate: 900n, fromEpoch: 10 })
  assert.deepEqual(at(9, false), { rate: 500n, fromEpoch: undefined })
  assert.deepEqual(at(5, false), { rate: 500n, fromEpoch: undefined })
  assert.deepEqual(at(4, false), { rate: 900n, fromEpoch: 5 })
})
