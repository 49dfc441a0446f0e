import type { ChainSnapshot, StakedToken, Validator } from '#ports/chain/staking-chain.ts'
import { printAmount } from '../../amount.ts'
import { hasTwoSteps } from '../epoch-rules.ts'

/** One sentence for whoever signs: what it does, and when. */

const shown = ({ token }: ChainSnapshot, amount: bigint) => printAmount(amount, token.decimals, token.symbol)

/** A validator outside the committee pays nothing, however active the stake with it is. */
export function stakeSummary(
  snapshot: ChainSnapshot,
  { name, status, inNextCommittee }: Validator,
  amount: bigint,
  epoch: number,
): string {
  const isSure = status === 'active' && inNextCommittee !== false
  const earning = isSure ? 'it earns' : 'it is active, and earns while the validator is in the committee,'
  return `Stakes ${shown(snapshot, amount)} with ${name}; ${earning} from epoch ${epoch} on.`
}

export function requestSummary(snapshot: ChainSnapshot, amount: bigint, epoch: number): string {
  return `Asks for ${shown(snapshot, amount)} back; it earns until epoch ${epoch} and can be withdrawn from then on.`
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
