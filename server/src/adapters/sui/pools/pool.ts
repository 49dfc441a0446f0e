import type { Validator } from '#ports/chain/staking-chain.ts'
import { toRate, toTokens } from './share-math.ts'

/** Amounts by the epoch in which they take effect. */
export type ByEpoch = readonly { readonly key: number; readonly value: bigint }[]

/** The common fields of pools on Ika and Walrus, whose contracts have the same design. */
export type PoolAccount = {
  readonly balance: bigint
  readonly shares: bigint
  readonly pendingStake: ByEpoch
  readonly pendingSharesWithdraw: ByEpoch
  readonly preActiveWithdrawals: ByEpoch
}

type Amounts = Pick<Validator, 'stake' | 'nextStake' | 'pendingStake' | 'withdrawingStake'>

const sum = (amounts: ByEpoch, counts: (epoch: number) => boolean): bigint =>
  amounts.reduce((total, { key, value }) => (counts(key) ? total + value : total), 0n)

const notBelowZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

/**
 * The contract updates a pool outside the committee only when a call uses it. So amounts due in the present epoch or
 * earlier are counted here, as the next call would count them.
 */
export function poolAmounts(pool: PoolAccount, epoch: number): Amounts {
  const rate = toRate(pool.balance, pool.shares)
  const leaving = (counts: (epoch: number) => boolean) =>
    toTokens(rate, sum(pool.pendingSharesWithdraw, counts)) + sum(pool.preActiveWithdrawals, counts)
  const due = (key: number) => key <= epoch
  const later = (key: number) => key > epoch
  const stake = notBelowZero(pool.balance + sum(pool.pendingStake, due) - leaving(due))
  const pendingStake = sum(pool.pendingStake, later)
  const withdrawingStake = leaving(later)
  return {
    stake,
    pendingStake,
    withdrawingStake,
    nextStake: nextStakeOf(stake, pendingStake, withdrawingStake),
  }
}

export function nextStakeOf(stake: bigint, pending: bigint, withdrawing: bigint): bigint {
  return notBelowZero(stake + pending - withdrawing)
}

/**
 * The commission to expect: of the announced ones the highest, if it is a raise, else the last. A raise counts even if
 * it is revoked one epoch later, because it takes a part of that epoch's rewards. Overdue announcements exist only if
 * the pool was outside the committee when they fell due. With `lateCommissionHolds` the last of them takes effect when
 * the pool is back; other contracts apply only announcements for exactly the present epoch, so none of them does.
 */
export function announcedCommission(
  pending: ByEpoch,
  present: number,
  { epoch, lateCommissionHolds }: { readonly epoch: number; readonly lateCommissionHolds: boolean },
): { readonly rate: bigint; readonly fromEpoch: number | undefined } {
  const inOrder = pending.toSorted((a, b) => a.key - b.key)
  const late = lateCommissionHolds ? inOrder.filter(({ key }) => key <= epoch).slice(-1) : []
  const coming = [...late, ...inOrder.filter(({ key }) => key > epoch)]
  const raise = coming.reduce<ByEpoch[number] | undefined>(
    (highest, one) => (one.value > (highest?.value ?? BigInt(present)) ? one : highest),
    undefined,
  )
  const counts = raise ?? coming.at(-1)
  if (counts === undefined) return { rate: BigInt(present), fromEpoch: undefined }
  return { rate: counts.value, fromEpoch: Math.max(counts.key, epoch + 1) }
}
