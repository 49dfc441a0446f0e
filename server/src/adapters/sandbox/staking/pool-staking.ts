import { Abort, abortUnless } from '../transactions/abort.ts'
import { addPending, reducePending } from './pending-values.ts'
import type { Pool } from './pool.ts'
import { rateAt, rewardsBetween } from './pool.ts'
import { toShares } from './rate.ts'
import type { Token } from './staked-token.ts'
import { mintToken, requestToken } from './staked-token.ts'

/** The epoch, and the committees a validator is in, at the time of a stake or withdrawal. */
export type Standing = {
  readonly epoch: number
  /** Whether the next committee is selected, with or without this validator. */
  readonly selected: boolean
  readonly inCommittee: boolean
  readonly inNextCommittee: boolean
}

/** The epoch in which a stake made now becomes active. */
export const activationFor = ({ epoch, selected }: Pick<Standing, 'epoch' | 'selected'>): number =>
  selected ? epoch + 2 : epoch + 1

export function addStake(
  pool: Pool,
  stake: { readonly id: string; readonly owner: string; readonly amount: bigint },
  standing: Standing,
): { pool: Pool; token: Token } {
  abortUnless(pool.state.kind === 'candidate' || pool.state.kind === 'active', 'notActive')
  abortUnless(stake.amount > 0n, 'zeroStake')
  const activationEpoch = activationFor(standing)
  const token = mintToken({
    id: stake.id,
    owner: stake.owner,
    validatorId: pool.id,
    principal: stake.amount,
    activationEpoch,
  })
  return {
    pool: { ...pool, pendingStake: addPending(pool.pendingStake, activationEpoch, stake.amount) },
    token,
  }
}

/** A stake that is neither active nor counted for a selected committee can be withdrawn without a request. */
function canWithdrawEarly(token: Token, { epoch, inNextCommittee }: Standing): boolean {
  if (token.withdrawEpoch !== undefined) return false
  return token.activationEpoch === epoch + 2 || (token.activationEpoch === epoch + 1 && !inNextCommittee)
}

export function requestWithdrawal(
  pool: Pool,
  token: Token,
  standing: Standing,
): { pool: Pool; token: Token } {
  abortUnless(token.principal > 0n, 'zeroStake')
  abortUnless(token.validatorId === pool.id, 'otherValidator')
  abortUnless(token.withdrawEpoch === undefined, 'notStaked')
  abortUnless(!canWithdrawEarly(token, standing), 'withdrawDirectly')

  if (token.activationEpoch === standing.epoch + 1) return requestBeforeActivation(pool, token)
  abortUnless(token.activationEpoch <= standing.epoch, 'notActivated')

  const withdrawEpoch = withdrawEpochFor(standing)
  const shares = toShares(rateAt(pool, token.activationEpoch), token.principal)
  abortUnless(shares > 0n, 'zeroShares')
  return {
    pool: { ...pool, pendingWithdrawals: addPending(pool.pendingWithdrawals, withdrawEpoch, shares) },
    token: requestToken(token, withdrawEpoch),
  }
}

/** The stake already counts for the next committee, so it is active for exactly one epoch. */
function requestBeforeActivation(pool: Pool, token: Token): { pool: Pool; token: Token } {
  const withdrawEpoch = token.activationEpoch + 1
  const preActiveWithdrawals = addPending(pool.preActiveWithdrawals, withdrawEpoch, token.principal)
  return { pool: { ...pool, preActiveWithdrawals }, token: requestToken(token, withdrawEpoch) }
}

function withdrawEpochFor({ epoch, inCommittee, inNextCommittee }: Standing): number {
  if (inNextCommittee) return epoch + 2
  if (inCommittee) return epoch + 1
  throw new Abort('withdrawDirectly')
}

/** Pays a stake out. The token is gone afterwards. */
export function withdrawStake(pool: Pool, token: Token, standing: Standing): { pool: Pool; paid: bigint } {
  abortUnless(token.principal > 0n, 'zeroStake')
  abortUnless(token.validatorId === pool.id, 'otherValidator')
  const { epoch, inCommittee, inNextCommittee } = standing
  if (canWithdrawEarly(token, standing)) return takeBack(pool, token)
  if (!inCommittee && !inNextCommittee && token.withdrawEpoch === undefined) {
    return token.activationEpoch > epoch ? takeBack(pool, token) : withdrawInOneStep(pool, token, epoch)
  }
  abortUnless(token.withdrawEpoch !== undefined, 'notWithdrawing')
  abortUnless(
    token.withdrawEpoch <= epoch,
    'tooEarly',
    `It is epoch ${token.withdrawEpoch}; the present one is ${epoch}.`,
  )
  abortUnless(token.activationEpoch <= epoch, 'notActivated')
  return payOut(pool, token, token.withdrawEpoch)
}

function takeBack(pool: Pool, token: Token): { pool: Pool; paid: bigint } {
  const pendingStake = reducePending(pool.pendingStake, token.activationEpoch, token.principal)
  return { pool: { ...pool, pendingStake }, paid: token.principal }
}

/** From a validator outside both committees: its stake earns nothing, so the withdrawal needs no request. */
function withdrawInOneStep(pool: Pool, token: Token, epoch: number): { pool: Pool; paid: bigint } {
  abortUnless(pool.state.kind !== 'removed', 'locked')
  const shares = toShares(rateAt(pool, token.activationEpoch), token.principal)
  const pendingWithdrawals = addPending(pool.pendingWithdrawals, epoch, shares)
  return payOut({ ...pool, pendingWithdrawals }, token, epoch)
}

function payOut(pool: Pool, token: Token, until: number): { pool: Pool; paid: bigint } {
  const rewards = payableRewards(pool, token, until)
  return { pool: { ...pool, rewardsPool: pool.rewardsPool - rewards }, paid: token.principal + rewards }
}

/** Capped by the rewards pool: rounding may yield a unit more than it holds. */
export function payableRewards(pool: Pool, token: Token, until: number): bigint {
  const earned = rewardsBetween(pool, token.principal, token.activationEpoch, until)
  if (earned > pool.rewardsPool) return pool.rewardsPool
  return earned
}
