import type { PendingValues } from './pending-values.ts'
import { foldUpTo, NOTHING_PENDING, sumUpTo, withoutUpTo } from './pending-values.ts'
import type { Rate } from './rate.ts'
import { FLAT, rateOf, toShares, toTokens } from './rate.ts'

/**
 * candidate: never active so far · active: from epoch `since` on, which may be to come · withdrawing: its rate is fixed
 * from epoch `at` on · removed: a candidate that left, whose stakes are locked once they are active.
 */
export type PoolState =
  | { readonly kind: 'candidate' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'active'; readonly since: number }
  | { readonly kind: 'withdrawing'; readonly since: number; readonly at: number }

export type RecordedRate = Rate & { readonly epoch: number }

/** The stake of one validator. Immutable: changes make a new pool. */
export type Pool = {
  readonly id: string
  readonly state: PoolState
  /** Active stake with its rewards, and the shares it is divided into. */
  readonly balance: bigint
  readonly shares: bigint
  /** Rewards of the stakers, and of the operator, that were not withdrawn. */
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

/** The newest rate recorded up to `epoch`; flat before the pool's activation, fixed once the pool is withdrawing. */
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

/** Rewards of `principal` between two epochs, not yet capped by the rewards pool. */
export function rewardsBetween(pool: Pool, principal: bigint, activation: number, until: number): bigint {
  const worth = toTokens(rateAt(pool, until), toShares(rateAt(pool, activation), principal))
  return worth > principal ? worth - principal : 0n
}

/** The active stake at the present or a coming epoch, with the stakes and withdrawals that are pending until then. */
export function balanceAt(pool: Pool, epoch: number): bigint {
  const rest = rawBalanceAt(pool, epoch)
  return rest > 0n ? rest : 0n
}

/**
 * `balanceAt` without the floor at zero. It is negative if stake became active after its validator was removed: such
 * stake is converted at an older rate than the one it was added at, so withdrawals exceed the balance. The contract
 * aborts then.
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

/**
 * Pays the reward and settles what is pending at the start of `epoch`, for a pool in the committee before or after
 * it.
 */
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
 * Records the rate, then adds and takes out the stake that is due. If more is due than the pool holds, the contract
 * would stop the whole chain; here the pool becomes empty.
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

/** A pool outside the committee settles nothing; only its pending entries are merged. */
export function idlePool(pool: Pool, epoch: number): Pool {
  const pendingStake = foldUpTo(pool.pendingStake, epoch)
  const pendingWithdrawals = foldUpTo(pool.pendingWithdrawals, epoch)
  const settled = pendingStake === pool.pendingStake && pendingWithdrawals === pool.pendingWithdrawals
  return settled ? pool : { ...pool, pendingStake, pendingWithdrawals }
}

/** Removes the rates before `from`, except those in force at the epochs in `needed`. */
export function withoutOldRates(pool: Pool, from: number, needed: Iterable<number>): Pool {
  const { state } = pool
  const lookedUp = [from, ...needed, ...(state.kind === 'withdrawing' ? [state.at] : [])]
  const kept = new Set(lookedUp.map((epoch) => newestUpTo(pool.rates, epoch)))
  return { ...pool, rates: pool.rates.filter((rate) => rate.epoch >= from || kept.has(rate)) }
}
