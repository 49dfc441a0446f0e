import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smaller } from '#domain/amount.ts'
import { HOUR_MS } from '../../../durations.ts'
import { coinsLeft, lendCoins } from '../staking/validator-set.ts'
import { chargeEpochs, chargeLoan } from './accounts.ts'
import { foundWorld } from './genesis.ts'

const ALLOWANCE = { loan: 1_000n, epochsPerHour: 10, epochsPerHourOfNetwork: 25 }
const world = () => foundWorld(1, HOUR_MS, 0)
const borrower = (id: string) => ({ id, allowance: ALLOWANCE })
const PLENTY = 10n ** 18n

test('a loan is limited exactly to the unit, and a payout frees the same amount', () => {
  const chain = world()
  const charge = (lent: bigint, paidOut = 0n) =>
    chargeLoan(chain, borrower('a'), { lent, paidOut, left: PLENTY })
  assert.throws(() => charge(1_001n), { code: 'forbidden' })
  charge(1_000n)
  assert.throws(() => charge(1n), { code: 'forbidden', message: /this key may borrow 0 SBX more/ })
  charge(400n, 400n)
  charge(0n, 1n)
  charge(1n)
  charge(0n, 5_000n)
  assert.equal(chain.accounts.size, 0, 'a key that owes nothing takes no room')
  assert.throws(() => charge(1_001n), { code: 'forbidden' }, 'rewards give no more than the share')
})

test('a key that owes more than its lowered limit can pay back, and borrow as much as the same transaction pays back', () => {
  const chain = world()
  const charge = (loan: bigint, lent: bigint, paidOut: bigint) =>
    chargeLoan(chain, { id: 'a', allowance: { ...ALLOWANCE, loan } }, { lent, paidOut, left: PLENTY })
  charge(1_000n, 1_000n, 0n)
  charge(500n, 7n, 7n)
  assert.throws(() => charge(500n, 1n, 0n), { message: /this key may borrow 0 SBX more/ })
  assert.throws(() => charge(500n, 8n, 7n), {
    details: [{ field: 'commands', message: 'may borrow 0 SBX more' }],
  })
  charge(500n, 0n, 999n)
  assert.equal(chain.accounts.get('a')?.loan, 1n)
})

test('the refusal says how much is left, in coins and to the unit', () => {
  const coin = 1_000_000_000n
  const allowance = { ...ALLOWANCE, loan: 5n * coin + 1n }
  assert.throws(
    () => chargeLoan(world(), { id: 'a', allowance }, { lent: 6n * coin, paidOut: 0n, left: PLENTY }),
    {
      message: /this key may borrow 5\.000000001 SBX more\. Unstake/,
      details: [{ field: 'commands', message: 'may borrow 5.000000001 SBX more' }],
    },
  )
})

test('after a thousand keys have borrowed their maximum, more than a thousand coins can still be borrowed', () => {
  const chain = world()
  const allowance = { ...ALLOWANCE, loan: 10n ** 17n }
  for (let key = 0; key < 1_000; key += 1) {
    const left = coinsLeft(chain)
    const share = left / 100n
    const lent = smaller(allowance.loan, share)
    lendCoins(chain, lent)
    chargeLoan(chain, { id: `key ${key}`, allowance }, { lent, paidOut: 0n, left })
    assert.throws(
      () =>
        chargeLoan(chain, { id: `other ${key}`, allowance }, { lent: left / 100n + 1n, paidOut: 0n, left }),
      { code: 'forbidden' },
    )
  }
  assert(coinsLeft(chain) / 100n > 1_000n * 1_000_000_000n, 'a thousand coins, at least')
})

test('advanced epochs are counted by the hour, and the count starts anew with the next one', () => {
  const chain = world()
  const charge = (id: string, epochs: number, now: number) =>
    chargeEpochs(chain, { ...borrower(id), networkId: 'here' }, epochs, now)
  charge('a', 10, HOUR_MS - 1)
  assert.throws(() => charge('a', 1, HOUR_MS - 1), { code: 'rate_limited', retryAfterSeconds: 1 })
  charge('b', 10, HOUR_MS - 1)
  charge('a', 10, HOUR_MS)
  assert.deepEqual([...chain.accounts.keys()], ['a', 'here'])
  assert.throws(() => charge('a', 1, HOUR_MS), { code: 'rate_limited', retryAfterSeconds: 3_600 })
})
