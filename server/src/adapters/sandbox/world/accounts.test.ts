import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smaller } from '#domain/amount.ts'
import { HOUR_MS } from '../../../durations.ts'
import { coinsLeft, lendCoins } from '../staking/validator-set.ts'
import { chargeEpochs, chargeLoan } from './accounts.ts'
import { foundWorld } from './genesis.ts'

const ALLOWANCE = { loan: 1_000n, epochsPerHour: 10 }
const world = () => foundWorld(1, HOUR_MS, 0)
const borrower = (id: string) => ({ id, allowance: ALLOWANCE })
const PLENTY = 10n ** 18n

test('a loan is exact to the unit, and what is paid out is room again', () => {
  const chain = world()
  const charge = (lent: bigint, paidOut = 0n) =>
    chargeLoan(chain, borrower('a'), { lent, paidOut, left: PLENTY })
  assert.throws(() => charge(1_001n), { code: 'forbidden' })
  charge(1_000n)
  assert.throws(() => charge(1n), { code: 'forbidden', message: /lends this key 0 more/ })
  charge(400n, 400n)
  charge(0n, 1n)
  charge(1n)
  charge(0n, 5_000n)
  assert.equal(chain.accounts.size, 0, 'a key that owes nothing takes no room')
  assert.throws(() => charge(1_001n), { code: 'forbidden' }, 'rewards give no more than the share')
})

test('however many keys borrow all they may, the next one can borrow too', () => {
  const chain = world()
  const allowance = { loan: 10n ** 17n, epochsPerHour: 10 }
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

test('epochs are counted by the hour, and forgotten with it', () => {
  const chain = world()
  const charge = (id: string, epochs: number, now: number) => chargeEpochs(chain, borrower(id), epochs, now)
  charge('a', 10, HOUR_MS - 1)
  assert.throws(() => charge('a', 1, HOUR_MS - 1), { code: 'rate_limited', retryAfterSeconds: 1 })
  charge('b', 10, HOUR_MS - 1)
  charge('a', 10, HOUR_MS)
  assert.deepEqual([...chain.accounts.keys()], ['a'])
  assert.throws(() => charge('a', 1, HOUR_MS), { code: 'rate_limited', retryAfterSeconds: 3_600 })
})
