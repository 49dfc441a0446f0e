import { add, check, divide, MoveAbort, multiply, subtract } from './machine.ts'
import type { Pending, Rate, StakedToken } from './values.ts'
import {
  addAt,
  canWithdrawEarly,
  flush,
  makeRate,
  mint,
  reduceAt,
  setWithdrawing,
  sharesFor,
  tokensFor,
  valueAt,
} from './values.ts'

/** One validator with its pool, as the contract keeps it. Changed in place: the caller undoes aborted calls. */
export type Pool = {
  readonly id: string
  state: 'pre-active' | 'active' | { readonly withdrawing: number }
  activation: number | undefined
  latest: number
  balance: bigint
  shares: bigint
  readonly sharesWithdrawn: Pending
  readonly preActiveWithdrawals: Pending
  readonly commissions: Map<number, number>
  commissionRate: number
  readonly rates: Map<number, Rate>
  readonly pendingStake: Pending
  rewards: bigint
  commission: bigint
}

export type Seats = { readonly current: boolean; readonly next: boolean }

export const newPool = (id: string, epoch: number, commissionRate: number): Pool => ({
  id,
  state: 'pre-active',
  activation: undefined,
  latest: epoch,
  balance: 0n,
  shares: 0n,
  sharesWithdrawn: new Map(),
  preActiveWithdrawals: new Map(),
  commissions: new Map(),
  commissionRate,
  rates: new Map(),
  pendingStake: new Map(),
  rewards: 0n,
  commission: 0n,
})

export function activate(pool: Pool, epoch: number, selected: boolean): void {
  check(pool.state === 'pre-active', 'validator', 4)
  pool.state = 'active'
  pool.activation = selected ? epoch + 2 : epoch + 1
}

export function withdrawPool(pool: Pool, epoch: number): void {
  check(typeof pool.state === 'string', 'validator', 5)
  pool.state = { withdrawing: epoch }
}

export function announceCommission(pool: Pool, rate: number, epoch: number): void {
  check(rate <= 10_000, 'validator', 14)
  pool.commissions.set(epoch + 2, rate)
}

export function addStake(pool: Pool, amount: bigint, epoch: number, selected: boolean): StakedToken {
  check(pool.state === 'pre-active' || pool.state === 'active', 'validator', 6)
  check(amount > 0n, 'validator', 7)
  const activation = selected ? epoch + 2 : epoch + 1
  const token = mint(pool.id, amount, activation)
  addAt(pool.pendingStake, activation, amount)
  return token
}

export function requestWithdrawal(pool: Pool, token: StakedToken, seats: Seats, epoch: number): void {
  check(token.principal > 0n, 'validator', 7)
  check(token.validator === pool.id, 'validator', 9)
  check(token.withdrawal === undefined, 'validator', 8)
  check(!canWithdrawEarly(token, seats.next, epoch), 'validator', 13)
  if (token.activation === epoch + 1) {
    addAt(pool.preActiveWithdrawals, token.activation + 1, token.principal)
    setWithdrawing(token, token.activation + 1)
    return
  }
  check(token.activation <= epoch, 'validator', 12)
  check(seats.next || seats.current, 'validator', 13)
  const withdrawal = seats.next ? epoch + 2 : epoch + 1
  const shares = sharesFor(rateAt(pool, token.activation), token.principal)
  check(shares !== 0n, 'validator', 16)
  addAt(pool.sharesWithdrawn, withdrawal, shares)
  setWithdrawing(token, withdrawal)
}

/** Consumes the token and returns the amount paid out. */
export function withdraw(pool: Pool, token: StakedToken, seats: Seats, epoch: number): bigint {
  check(token.principal > 0n, 'validator', 7)
  check(token.validator === pool.id, 'validator', 9)
  if (canWithdrawEarly(token, seats.next, epoch)) {
    reduceAt(pool.pendingStake, token.activation, token.principal)
    return token.principal
  }
  const earned = earnedBy(pool, token, seats, epoch)
  const paid = atMost(earned, pool.rewards)
  pool.rewards = subtract(pool.rewards, paid)
  return add(token.principal, paid)
}

export const atMost = (amount: bigint, most: bigint): bigint => {
  if (amount > most) return most
  return amount
}

function earnedBy(pool: Pool, token: StakedToken, seats: Seats, epoch: number): bigint {
  if (!seats.current && !seats.next && token.withdrawal === undefined) {
    if (token.activation > epoch) {
      reduceAt(pool.pendingStake, token.activation, token.principal)
      return 0n
    }
    addAt(pool.sharesWithdrawn, epoch, sharesFor(rateAt(pool, token.activation), token.principal))
    return rewardsOf(pool, token.principal, token.activation, epoch)
  }
  check(token.withdrawal !== undefined, 'validator', 10)
  check(token.withdrawal <= epoch, 'validator', 11)
  check(token.activation <= epoch, 'validator', 12)
  return rewardsOf(pool, token.principal, token.activation, token.withdrawal)
}

export function rewardsOf(pool: Pool, principal: bigint, activation: number, withdrawal: number): bigint {
  const shares = sharesFor(rateAt(pool, activation), principal)
  const worth = tokensFor(rateAt(pool, withdrawal), shares)
  return worth >= principal ? worth - principal : 0n
}

export function advance(pool: Pool, reward: bigint, epoch: number): void {
  check(epoch > pool.latest, 'validator', 0)
  check(reward === 0n || pool.balance > 0n, 'validator', 2)
  const fee = divide(multiply(reward, BigInt(pool.commissionRate)), 10_000n)
  pool.commission = add(pool.commission, fee)
  const announced = pool.commissions.get(epoch)
  if (announced !== undefined) {
    pool.commissionRate = announced
    for (const due of [...pool.commissions.keys()]) if (due <= epoch) pool.commissions.delete(due)
  }
  const rest = subtract(reward, fee)
  pool.rewards = add(pool.rewards, rest)
  pool.balance = add(pool.balance, rest)
  pool.latest = epoch
  settle(pool, epoch)
}

function settle(pool: Pool, epoch: number): void {
  const rate = makeRate(pool.balance, pool.shares)
  pool.rates.set(epoch, rate)
  pool.balance = add(pool.balance, flush(pool.pendingStake, epoch))
  const early = preActiveShares(pool, epoch)
  flush(pool.preActiveWithdrawals, epoch)
  const leaving = tokensFor(rate, add(flush(pool.sharesWithdrawn, epoch), early))
  check(pool.balance >= leaving, 'validator', 1)
  pool.balance = subtract(pool.balance, leaving)
  pool.shares = sharesFor(rate, pool.balance)
}

function preActiveShares(pool: Pool, epoch: number): bigint {
  let shares = 0n
  for (const [due, principal] of pool.preActiveWithdrawals)
    if (due <= epoch) shares = add(shares, sharesFor(rateAt(pool, due - 1), principal))
  return shares
}

export function balanceAt(pool: Pool, epoch: number): bigint {
  const rate = makeRate(pool.balance, pool.shares)
  const early = preActiveShares(pool, epoch)
  const leaving = tokensFor(rate, add(valueAt(pool.sharesWithdrawn, epoch), early))
  return subtract(add(pool.balance, valueAt(pool.pendingStake, epoch)), leaving)
}

/** A candidate that was removed has no activation epoch, and looking for one aborts: its stake is locked. */
export function rateAt(pool: Pool, epoch: number): Rate {
  if (pool.state === 'pre-active') return 'flat'
  if (pool.activation === undefined) throw new MoveAbort('option', 262_145)
  if (pool.activation > epoch) return 'flat'
  let at = typeof pool.state === 'string' ? epoch : Math.min(pool.state.withdrawing, epoch)
  while (at >= pool.activation) {
    const rate = pool.rates.get(at)
    if (rate !== undefined) return rate
    at -= 1
  }
  return 'flat'
}
