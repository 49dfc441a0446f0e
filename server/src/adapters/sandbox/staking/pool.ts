import type { PendingValues } from './pending-values.ts'
import { foldUpTo, NOTHING_PENDING, sumUpTo, withoutUpTo } from './pending-values.ts'
import type { Rate } from './rate.ts'
import { FLAT, rateOf, toShares, toTokens } from './rate.ts'

/**
 * candidate: never active yet · active: since or from `since` on · withdrawing: its rates stand still from `at` on ·
 * removed: a candidate that left, whose stakes are locked once they are active.
 */
export type PoolState =
  | { readonly kind: 'candidate' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'active'; readonly since: number }
  | { readonly kind: 'withdrawing'; readonly since: number; readonly at: number }

export type RecordedRate = Rate & { readonly epoch: number }

/** The stake of one validator: a value that is never changed, only replaced. */
export type Pool = {
  readonly id: string
  readonly state: PoolState
  /** Active stake with its rewards, and the shares it is divided into. */
  readonly balance: bigint
  readonly shares: bigint
  /** Rewards of stakers, and of the operator, that nobody has taken out. */
  readonly rewardsPool: bigint
  readonly commission: bigint
  readonly commissionBps: number
  /** Announced commissions by the epoch they begin in. */
  readonly nextCommissions: ReadonlyMap<number, number>
  readonly pendingStake: PendingValues
  /** In shares. */
  readonly pendingWithdrawals: PendingValues
  /** Principals that are active for exactly one epoch, by the epoch after it. */
  readonly preActiveWithdrawals: PendingValues
  /** Ascending by epoch. */
  readonly rates: readonly RecordedRate[]
}

const BPS = 10_000n

export function newPool(id: string, commissionBps: number): Pool {
  return {
    id,
    state: { kind: 'candidate' },
    balance: 0n,
    shares: 0n,
    rewardsPool: 0n,
    commission: 0n,
    commissionBps,
    nextCommissions: new Map(),
    pendingStake: NOTHING_PENDING,
    pendingWithdrawals: NOTHING_PENDING,
    preActiveWithdrawals: NOTHING_PENDING,
    rates: [],
  }
}

/** The newest recorded rate at `epoch`, between the pool's activation and the epoch it withdraws in. */
export function rateAt(pool: Pool, epoch: number): Rate {
  const { state } = pool
  if (state.kind === 'candidate' || state.kind === 'removed' || state.since > epoch) return FLAT
  const last = state.kind === 'withdrawing' ? Math.min(epoch, state.at) : epoch
  const found = newestUpTo(pool.rates, last)
  return found === undefined || found.epoch < state.since ? FLAT : found
}

function newestUpTo(rates: readonly RecordedRate[], epoch: number): RecordedRate | undefined {
  let [low, high] = [0, rates.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rates[middle]?.epoch ?? 0) <= epoch) low = middle + 1
    else high = middle
  }
  return rates[low - 1]
}

/** What `principal` earns from one epoch to another, before the cap of the rewards pool. */
export function rewardsBetween(pool: Pool, principal: bigint, activation: number, until: number): bigint {
  const worth = toTokens(rateAt(pool, until), toShares(rateAt(pool, activation), principal))
  return worth > principal ? worth - principal : 0n
}

/** The stake that will be active at a present or coming epoch, by what is pending now. */
export function balanceAt(pool: Pool, epoch: number): bigint {
  const rest = rawBalanceAt(pool, epoch)
  return rest > 0n ? rest : 0n
}

/**
 * The same as the contract computes it. Below zero: stake that became active after its validator was put out counts by
 * an older rate than it was added at, so that more is asked back than the pool has. The contract aborts there.
 */
export function rawBalanceAt(pool: Pool, epoch: number): bigint {
  const leaving = toTokens(rateOf(pool.balance, pool.shares), sharesDue(pool, epoch))
  return pool.balance + sumUpTo(pool.pendingStake, epoch) - leaving
}

function sharesDue(pool: Pool, epoch: number): bigint {
  let shares = sumUpTo(pool.pendingWithdrawals, epoch)
  for (const [due, principal] of pool.preActiveWithdrawals) {
    if (due <= epoch) shares += toShares(rateAt(pool, due - 1), principal)
  }
  return shares
}

/** Ends an epoch in which the pool took part, or begins its first: `epoch` is the new one. */
export function advancePool(pool: Pool, reward: bigint, epoch: number): Pool {
  const fee = (reward * BigInt(pool.commissionBps)) / BPS
  const rest = reward - fee
  return settlePending(
    {
      ...pool,
      commission: pool.commission + fee,
      commissionBps: pool.nextCommissions.get(epoch) ?? pool.commissionBps,
      nextCommissions: futureCommissions(pool.nextCommissions, epoch),
      rewardsPool: pool.rewardsPool + rest,
      balance: pool.balance + rest,
    },
    epoch,
  )
}

function futureCommissions(announced: Pool['nextCommissions'], epoch: number): Pool['nextCommissions'] {
  return announced.size === 0 ? announced : new Map([...announced].filter(([from]) => from > epoch))
}

/**
 * Records the rate before the stake that is due is added or taken out. Where more is due than there is, the contract
 * would stop the whole chain; here the pool is empty then.
 */
function settlePending(pool: Pool, epoch: number): Pool {
  const rate = rateOf(pool.balance, pool.shares)
  const rated = { ...pool, rates: [...pool.rates, { epoch, ...rate }] }
  const leaving = toTokens(rate, sharesDue(rated, epoch))
  const staked = pool.balance + sumUpTo(pool.pendingStake, epoch)
  const balance = staked > leaving ? staked - leaving : 0n
  return {
    ...rated,
    balance,
    shares: toShares(rate, balance),
    pendingStake: withoutUpTo(pool.pendingStake, epoch),
    pendingWithdrawals: withoutUpTo(pool.pendingWithdrawals, epoch),
    preActiveWithdrawals: withoutUpTo(pool.preActiveWithdrawals, epoch),
  }
}

/** A pool outside the committee settles nothing; it only stays small. */
export function idlePool(pool: Pool, epoch: number): Pool {
  const pendingStake = foldUpTo(pool.pendingStake, epoch)
  const pendingWithdrawals = foldUpTo(pool.pendingWithdrawals, epoch)
  const settled = pendingStake === pool.pendingStake && pendingWithdrawals === pool.pendingWithdrawals
  return settled ? pool : { ...pool, pendingStake, pendingWithdrawals }
}

/** Forgets the rates before `from`, except those that the stakes active since `needed` are counted by. */
export function withoutOldRates(pool: Pool, from: number, needed: Iterable<number>): Pool {
  const { state } = pool
  const lookedUp = [from, ...needed, ...(state.kind === 'withdrawing' ? [state.at] : [])]
  const kept = new Set(lookedUp.map((epoch) => newestUpTo(pool.rates, epoch)))
  return { ...pool, rates: pool.rates.filter((rate) => rate.epoch >= from || kept.has(rate)) }
}
