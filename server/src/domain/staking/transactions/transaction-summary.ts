import type { ChainSnapshot, StakedToken, Validator } from '#ports/chain/staking-chain.ts'
import { printAmount } from '../../amount.ts'
import { hasTwoSteps } from '../epoch-rules.ts'

/** One sentence for the signer: what the transaction does, and when. */

const shown = ({ token }: ChainSnapshot, amount: bigint) => printAmount(amount, token.decimals, token.symbol)

/** A validator outside the committee earns nothing, even for active stake. */
export function stakeSummary(
  snapshot: ChainSnapshot,
  { name, status, inNextCommittee, commissionBps, nextCommissionBps }: Validator,
  amount: bigint,
  epoch: number,
): string {
  const isSure = status === 'active' && inNextCommittee !== false
  const keepsAll = Math.min(commissionBps, nextCommissionBps) === 10_000
  const stakes = `Stakes ${shown(snapshot, amount)} with ${name}`
  if (keepsAll) return `${stakes}; it earns nothing, for the validator keeps all rewards.`
  const earning = isSure
    ? `it earns from epoch ${epoch} on`
    : `it earns only while the validator is in the committee, from epoch ${epoch} on at the earliest`
  return `${stakes}; ${earning}.`
}

/**
 * After `earnsUntil` the stake earns nothing: a validator that was removed late still works, but pays its stakers
 * nothing.
 */
export function requestSummary(
  snapshot: ChainSnapshot,
  { activationEpoch }: StakedToken,
  validator: Validator | undefined,
  asked: { readonly amount: bigint; readonly epoch: number },
): string {
  const { amount, epoch } = asked
  const last = Math.min(epoch, validator?.facts?.earnsUntil ?? epoch)
  const earning = last > activationEpoch ? `earns until epoch ${last}` : 'earns nothing'
  const free = last < epoch ? `from epoch ${epoch} on` : 'from then on'
  return `Asks for ${shown(snapshot, amount)} back; it ${earning} and can be withdrawn ${free}.`
}

export function joinSummary(
  snapshot: ChainSnapshot,
  { id }: StakedToken,
  { amount, tokens }: { readonly amount: bigint; readonly tokens: number },
): string {
  return `Joins ${tokens} staked tokens into ${id}, which holds ${shown(snapshot, amount)} then; nothing is staked or paid out.`
}

export function payoutSummary(
  snapshot: ChainSnapshot,
  { activationEpoch, rewards }: StakedToken,
  amount: bigint,
): string {
  const what = shown(snapshot, amount)
  if (activationEpoch > snapshot.epoch.number) {
    return `Pays ${what} back at once: the stake is not active yet and has earned nothing.`
  }
  if (rewards === 0n) return `Pays out ${what} at once; it has earned nothing so far.`
  const lost = hasTwoSteps(snapshot.network) ? '' : '; what this epoch would have earned is given up'
  return `Pays out ${what} and its rewards at once${lost}.`
}
