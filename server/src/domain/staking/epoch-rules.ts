import type { ChainSnapshot, Epoch, NetworkName, StakedToken, Validator } from '#ports/chain/staking-chain.ts'
import { NETWORK_RULES } from '../../networks.ts'

/**
 * Whether withdrawals have two steps. Ika, Walrus and the sandbox have two, request and withdraw, and count in whole
 * epochs; on Sui a single call pays out at once. The rules below depend on whether the chain has selected its next
 * committee, never on the clock.
 */
export const hasTwoSteps = (network: NetworkName): boolean => NETWORK_RULES[network].hasTwoSteps

export type Moment = {
  readonly network: NetworkName
  readonly epoch: Pick<Epoch, 'number' | 'nextCommitteeSelected'>
}

/** Membership in the current and the next committee; stake is locked while its validator is in either. */
export type Membership = { readonly inCommittee: boolean; readonly inNextCommittee: boolean }

/** A validator that is not listed is in neither committee. */
export function membershipOf(
  validator: Pick<Validator, 'status' | 'inNextCommittee'> | undefined,
): Membership {
  return {
    inCommittee: validator?.status === 'active' || validator?.status === 'leaving',
    inNextCommittee: validator?.inNextCommittee === true,
  }
}

/** The number of epochs until a stake is active that is made now, or at the start of a later epoch. */
export function epochsUntilActive({ network, epoch }: Moment, atEpoch = epoch.number): number {
  if (atEpoch > epoch.number) return atEpoch - epoch.number + 1
  return hasTwoSteps(network) && epoch.nextCommitteeSelected ? 2 : 1
}

/** Epochs until active stake can be withdrawn if it is requested now. 0: one call pays it out. */
export function epochsUntilFree(network: NetworkName, { inCommittee, inNextCommittee }: Membership): number {
  if (!hasTwoSteps(network)) return 0
  if (inNextCommittee) return 2
  return inCommittee ? 1 : 0
}

export type WithdrawalPath =
  /** One call withdraws now. */
  | { readonly kind: 'withdraw_now' }
  /** A request now makes it withdrawable from `atEpoch` on. */
  | { readonly kind: 'request'; readonly atEpoch: number }
  /** Requested earlier and not due yet, or locked with a validator that is about to join the committee. */
  | { readonly kind: 'wait'; readonly atEpoch: number }

/** How the owner of a staked token gets the coins back, if requested now. */
export function withdrawalPath(
  token: Pick<StakedToken, 'activationEpoch' | 'withdrawEpoch' | 'boundUntil'>,
  membership: Membership,
  { network, epoch: { number: epoch } }: Moment,
): WithdrawalPath {
  const { activationEpoch, withdrawEpoch, boundUntil = 0 } = token
  if (boundUntil > epoch) return { kind: 'wait', atEpoch: boundUntil }
  if (withdrawEpoch !== undefined) {
    return withdrawEpoch <= epoch ? { kind: 'withdraw_now' } : { kind: 'wait', atEpoch: withdrawEpoch }
  }
  // Pending stake is locked only if it counts for a committee that is already selected; it then stays for one
  // epoch.
  const isBound = activationEpoch <= epoch || (activationEpoch === epoch + 1 && membership.inNextCommittee)
  const wait = isBound ? epochsUntilFree(network, membership) : 0
  return wait === 0 ? { kind: 'withdraw_now' } : { kind: 'request', atEpoch: epoch + wait }
}

export type TokenState = 'pending' | 'active' | 'withdrawing' | 'withdrawable'

export function stateOf(
  { withdrawEpoch, activationEpoch }: Pick<StakedToken, 'activationEpoch' | 'withdrawEpoch'>,
  epoch: number,
): TokenState {
  if (withdrawEpoch !== undefined) return withdrawEpoch <= epoch ? 'withdrawable' : 'withdrawing'
  return activationEpoch > epoch ? 'pending' : 'active'
}

/** The time at which an epoch is due to begin; the chain may be late, never early. */
export function startOfEpoch({ epoch }: Pick<ChainSnapshot, 'epoch'>, number: number): number {
  return epoch.startedAt + (number - epoch.number) * epoch.durationMs
}

/**
 * The time at which the rules above change within a coming epoch: its middle with two-step withdrawals, else its
 * end.
 */
export function ruleChangeIn(
  { epoch, network }: Pick<ChainSnapshot, 'epoch' | 'network'>,
  number: number,
): number {
  const start = startOfEpoch({ epoch }, number)
  return start + (hasTwoSteps(network) ? Math.floor(epoch.durationMs / 2) : epoch.durationMs)
}

/** The next time at which the rules above may give other answers; in the past if the chain is late. */
export function nextRuleChange({ epoch, network }: Pick<ChainSnapshot, 'epoch' | 'network'>): number {
  const isSelectionAhead = hasTwoSteps(network) && !epoch.nextCommitteeSelected
  return epoch.startedAt + (isSelectionAhead ? Math.floor(epoch.durationMs / 2) : epoch.durationMs)
}
