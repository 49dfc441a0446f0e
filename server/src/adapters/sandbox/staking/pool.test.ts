import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Abort } from '../transactions/abort.ts'
import { sumAfter } from './pending-values.ts'
import type { Pool } from './pool.ts'
import { advancePool, balanceAt, newPool, rateAt, rewardsBetween, withoutOldRates } from './pool.ts'
import type { Standing } from './pool-staking.ts'
import { addStake, requestWithdrawal, withdrawStake } from './pool-staking.ts'
import { FLAT, toShares, toTokens } from './rate.ts'
import type { Token } from './staked-token.ts'
import { joinTokens, mintToken, requestToken, splitToken } from './staked-token.ts'

const TOKEN = 1_000_000_000n

const before = (epoch: number): Standing => ({
  epoch,
  selected: false,
  inCommittee: epoch > 0,
  inNextCommittee: false,
})
const after = (epoch: number): Standing => ({ ...before(epoch), selected: true, inNextCommittee: true })

const activePool = (commissionBps = 500): Pool => ({
  ...newPool('pool', commissionBps),
  state: { kind: 'active', since: 1 },
})

const stake = (pool: Pool, amount: bigint, standing: Standing, id = 'token') =>
  addStake(pool, { id, owner: 'owner', amount }, standing)

const abortsWith = (module: string, code: number) => (error: unknown) =>
  error instanceof Abort && error.refusal.module === module && error.refusal.code === code

const figures = ({ balance, shares, commission, rewardsPool }: Pool) => ({
  balance,
  shares,
  commission,
  rewardsPool,
})

test('the golden vectors of the contract are reproduced exactly', () => {
  const first = stake(activePool(), 100n * TOKEN, before(0), 'first')
  const second = stake(first.pool, 50n * TOKEN, after(0), 'second')
  assert.deepEqual([first.token.activationEpoch, second.token.activationEpoch], [1, 2])

  const one = advancePool(second.pool, 0n, 1)
  assert.deepEqual(rateAt(one, 1), { epoch: 1, ...FLAT })
  assert.deepEqual(figures(one), {
    balance: 100_000_000_000n,
    shares: 100_000_000_000n,
    commission: 0n,
    rewardsPool: 0n,
  })

  const two = advancePool(one, 10n * TOKEN, 2)
  assert.deepEqual(rateAt(two, 2), { epoch: 2, tokens: 109_500_000_000n, shares: 100_000_000_000n })
  assert.deepEqual(figures(two), {
    balance: 159_500_000_000n,
    shares: 145_662_100_456n,
    commission: 500_000_000n,
    rewardsPool: 9_500_000_000n,
  })

  const firstAsked = requestWithdrawal(two, first.token, before(2))
  assert.equal(firstAsked.token.withdrawEpoch, 3)
  const three = advancePool(firstAsked.pool, 10n * TOKEN, 3)
  assert.deepEqual(rateAt(three, 3), { epoch: 3, tokens: 169_000_000_000n, shares: 145_662_100_456n })
  assert.deepEqual(figures(three), {
    balance: 52_978_056_426n,
    shares: 45_662_100_456n,
    commission: 1_000_000_000n,
    rewardsPool: 19_000_000_000n,
  })

  const firstPaid = withdrawStake(three, firstAsked.token, before(3))
  assert.equal(firstPaid.paid, 116_021_943_574n)
  assert.equal(firstPaid.pool.rewardsPool, 2_978_056_426n)

  const secondAsked = requestWithdrawal(firstPaid.pool, second.token, after(3))
  assert.equal(secondAsked.token.withdrawEpoch, 5)
  const four = advancePool(secondAsked.pool, 10n * TOKEN, 4)
  assert.deepEqual(rateAt(four, 4), { epoch: 4, tokens: 62_478_056_426n, shares: 45_662_100_456n })
  assert.deepEqual(figures(four), {
    balance: 62_478_056_426n,
    shares: 45_662_100_456n,
    commission: 1_500_000_000n,
    rewardsPool: 12_478_056_426n,
  })

  const five = advancePool(four, 10n * TOKEN, 5)
  assert.deepEqual(rateAt(five, 5), { epoch: 5, tokens: 71_978_056_426n, shares: 45_662_100_456n })
  assert.deepEqual(figures(five), {
    balance: 0n,
    shares: 0n,
    commission: 2_000_000_000n,
    rewardsPool: 21_978_056_426n,
  })

  const secondPaid = withdrawStake(five, secondAsked.token, before(5))
  assert.equal(secondPaid.paid, 71_978_056_426n)
  assert.equal(secondPaid.pool.rewardsPool, 0n)
})

test('the other asserted cases of the contract: pre-active stake, thresholds, one epoch too early', () => {
  const { pool, token } = stake(activePool(), 100n * TOKEN, before(0))
  assert.equal(withdrawStake(pool, token, before(0)).paid, 100n * TOKEN)
  assert.throws(() => requestWithdrawal(pool, token, before(0)), abortsWith('validator', 13))
  assert.equal(requestWithdrawal(pool, token, after(0)).token.withdrawEpoch, 2)
  assert.throws(() => stake(pool, TOKEN - 1n, before(0)), abortsWith('staked_token', 4))
  const two = { ...token, principal: 2n * TOKEN }
  assert.throws(() => splitToken(two, TOKEN + 1n, 'part'), abortsWith('staked_token', 4))
  const asked = requestWithdrawal(advancePool(pool, 0n, 1), token, before(1))
  assert.throws(() => withdrawStake(asked.pool, asked.token, before(1)), abortsWith('validator', 11))
})

test('a stake whose withdrawal is requested before it is active is active for one epoch and paid for it', () => {
  const base = stake(activePool(0), 100n * TOKEN, before(0), 'base')
  const one = advancePool(base.pool, 0n, 1)
  const late = stake(one, 100n * TOKEN, before(1), 'late')
  const asked = requestWithdrawal(late.pool, late.token, after(1))
  assert.equal(asked.token.withdrawEpoch, 3)
  const three = advancePool(advancePool(asked.pool, 10n * TOKEN, 2), 10n * TOKEN, 3)
  const { paid } = withdrawStake(three, asked.token, before(3))
  assert.equal(paid, 100n * TOKEN + rewardsBetween(three, 100n * TOKEN, 2, 3))
  assert.ok(paid > 100n * TOKEN)
  assert.ok(three.balance <= 116n * TOKEN && three.balance > 114n * TOKEN)
})

test('an announced commission takes effect with its epoch: rewards of the epoch before are charged the old one', () => {
  const staked = stake(activePool(500), 100n * TOKEN, before(0)).pool
  const announced = { ...advancePool(staked, 0n, 1), nextCommissions: new Map([[3, 2_000]]) }
  const two = advancePool(announced, TOKEN, 2)
  assert.deepEqual([two.commissionBps, two.commission], [500, TOKEN / 20n])
  const three = advancePool(two, TOKEN, 3)
  assert.deepEqual([three.commissionBps, three.commission], [2_000, TOKEN / 10n])
  assert.equal(advancePool(three, TOKEN, 4).commission, TOKEN / 10n + TOKEN / 5n)
})

test('rewards never exceed what the rewards pool holds', () => {
  const { pool, token } = stake(activePool(0), 100n * TOKEN, before(0))
  const asked = requestWithdrawal(advancePool(pool, 0n, 1), token, before(1))
  const two = { ...advancePool(asked.pool, 10n * TOKEN, 2), rewardsPool: 3n }
  const { paid, pool: rest } = withdrawStake(two, asked.token, before(2))
  assert.deepEqual([paid, rest.rewardsPool], [100n * TOKEN + 3n, 0n])
})

test('stake of a validator outside both committees is withdrawn in one step, with rewards', () => {
  const { pool, token } = stake(activePool(0), 100n * TOKEN, before(0))
  const two = advancePool(advancePool(pool, 0n, 1), 10n * TOKEN, 2)
  const gone: Pool = { ...two, state: { kind: 'withdrawing', since: 1, at: 2 } }
  const standing: Standing = { epoch: 7, selected: false, inCommittee: false, inNextCommittee: false }
  assert.throws(() => requestWithdrawal(gone, token, standing), abortsWith('validator', 13))
  const { paid, pool: rest } = withdrawStake(gone, token, standing)
  assert.equal(paid, 110n * TOKEN)
  assert.equal(balanceAt(rest, 7), 0n)
})

test('a leaving pool keeps the rate of its last epoch', () => {
  const { pool } = stake(activePool(0), 100n * TOKEN, before(0))
  const left: Pool = {
    ...advancePool(advancePool(advancePool(pool, 0n, 1), TOKEN, 2), TOKEN, 3),
    state: { kind: 'withdrawing', since: 1, at: 2 },
  }
  assert.deepEqual(rateAt(left, 9), rateAt(left, 2))
})

test('aborts that no transaction can reach are implemented too', () => {
  const { pool, token } = stake(activePool(), 100n * TOKEN, before(0))
  const one = advancePool(pool, 0n, 1)
  const cases: readonly [string, number, () => unknown][] = [
    ['validator', 7, () => stake(pool, 0n, before(0))],
    ['validator', 7, () => requestWithdrawal(one, { ...token, principal: 0n }, before(1))],
    ['validator', 7, () => withdrawStake(one, { ...token, principal: 0n }, before(1))],
    ['validator', 9, () => requestWithdrawal(one, { ...token, validatorId: 'other' }, before(1))],
    ['validator', 9, () => withdrawStake(one, { ...token, validatorId: 'other' }, before(1))],
    ['validator', 12, () => requestWithdrawal(one, { ...token, activationEpoch: 9 }, before(1))],
    [
      'validator',
      12,
      () => withdrawStake(one, { ...token, activationEpoch: 9, withdrawEpoch: 1 }, before(1)),
    ],
    [
      'validator',
      16,
      () => requestWithdrawal(doubled(one), { ...token, principal: 1n, activationEpoch: 2 }, before(2)),
    ],
    ['staked_token', 3, () => requestToken({ ...token, withdrawEpoch: 3 }, 4)],
    ['staked_token', 4, () => mintToken({ ...token, principal: TOKEN - 1n })],
  ]
  for (const [module, code, run] of cases) assert.throws(run, abortsWith(module, code), `${module} ${code}`)
})

/** A pool whose shares are worth two tokens each. */
const doubled = (pool: Pool) => advancePool({ ...pool, commissionBps: 0 }, 100n * TOKEN, 2)

test('splitting and joining keep the principal, and only like stakes join', () => {
  const token: Token = {
    id: 'a',
    owner: 'owner',
    validatorId: 'pool',
    principal: 5n * TOKEN,
    activationEpoch: 3,
    withdrawEpoch: 7,
  }
  const { rest, part } = splitToken(token, 2n * TOKEN, 'b')
  assert.deepEqual([rest.principal, part.principal, part.withdrawEpoch], [3n * TOKEN, 2n * TOKEN, 7])
  assert.deepEqual(joinTokens(rest, part), token)
  assert.throws(() => splitToken(token, 5n * TOKEN, 'b'), abortsWith('staked_token', 2))
  for (const unlike of [
    { validatorId: 'x' },
    { activationEpoch: 4 },
    { withdrawEpoch: 8 },
    { withdrawEpoch: undefined },
  ]) {
    assert.throws(() => joinTokens(rest, { ...part, ...unlike }), abortsWith('staked_token', 1))
  }
})

test('pruning old rates changes the worth of no existing stake', () => {
  let pool = advancePool(stake(activePool(), 100n * TOKEN, before(0)).pool, 0n, 1)
  for (let epoch = 2; epoch <= 60; epoch += 1) pool = advancePool(pool, TOKEN, epoch)
  const pruned = withoutOldRates(pool, 50, [10, 30])
  assert.equal(pruned.rates.length, 13)
  for (const activation of [10, 30, 50, 55]) {
    const value = (of: Pool) => toTokens(rateAt(of, 60), toShares(rateAt(of, activation), 7n * TOKEN))
    assert.equal(value(pruned), value(pool), `activation ${activation}`)
  }
})

test('the balance at a coming epoch includes the stake that is pending for it', () => {
  const first = stake(activePool(), 100n * TOKEN, before(0))
  const { pool } = stake(first.pool, 50n * TOKEN, after(0))
  assert.deepEqual(
    [balanceAt(pool, 0), balanceAt(pool, 1), balanceAt(pool, 2)],
    [0n, 100n * TOKEN, 150n * TOKEN],
  )
  assert.equal(sumAfter(pool.pendingStake, 1), 50n * TOKEN)
})
