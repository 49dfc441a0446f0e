import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcedCommission, type PoolAccount, poolAmounts } from './pool.ts'

/** The pool of the contract's golden vectors, at the start of its second epoch. */
const POOL: PoolAccount = {
  balance: 159_500_000_000n,
  shares: 145_662_100_456n,
  pendingStake: [],
  pendingSharesWithdraw: [],
  preActiveWithdrawals: [],
}

test('withdrawing shares count with their present worth', () => {
  const leaving = { ...POOL, pendingSharesWithdraw: [{ key: 3, value: 100_000_000_000n }] }
  assert.deepEqual(poolAmounts(leaving, 2), {
    stake: 159_500_000_000n,
    pendingStake: 0n,
    withdrawingStake: 109_500_000_000n,
    nextStake: 50_000_000_000n,
  })
})

test('a withdrawal requested before activation counts with its principal', () => {
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

test('amounts due in past epochs are counted although the contract has not updated the pool', () => {
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

test('of several announced commissions a raise counts; without one the present commission', () => {
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

test('a raise that is revoked an epoch later counts; of overdue announcements the last one does', () => {
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

test('a commission that fell due outside the committee takes effect later, or never, by contract version', () => {
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
