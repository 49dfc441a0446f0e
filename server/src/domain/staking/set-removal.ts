import type { ChainSnapshot, Validator } from '#ports/chain/staking-chain.ts'

/**
 * The reason why the chain would abort a withdrawal: the validator would leave the active set, which may not
 * change.
 */
export type SetRefusal = {
  readonly kind: 'too_few_members' | 'too_many_changes'
  /** The most stake that may leave while the validator stays in the set. */
  readonly spare: bigint
}

/**
 * A validator whose next stake falls below the joining stake is removed from the active set by the same call. The
 * chain aborts that call if the set has its minimum size, or has changed as often as an epoch allows. A validator
 * that is leaving or already below the joining stake is out of the set, so nothing more happens to it.
 */
export function setRefusing(
  { system: { activeSet, minValidatorStake } }: ChainSnapshot,
  { status, nextStake }: Validator,
  leaving: bigint,
): SetRefusal | undefined {
  if (activeSet === undefined || !isInSet({ status })) return undefined
  const spare = nextStake - minValidatorStake
  if (spare < 0n || leaving <= spare) return undefined
  const { members, minMembers, changesLeft } = activeSet
  if (members === minMembers) return { kind: 'too_few_members', spare }
  // A validator that joined in this epoch may leave in it without a further change. Only committee members
  // certainly did not join just now.
  const isFurtherChange = status === 'active'
  return changesLeft === 0 && isFurtherChange ? { kind: 'too_many_changes', spare } : undefined
}

/** Validators below the joining stake, and leaving ones, are already out of the set. */
export const isInSet = ({ status }: Pick<Validator, 'status'>): boolean =>
  status === 'active' || status === 'pending'

/** How many validators may drop out of the set in this epoch. Infinity if the chain has no such set. */
export function removalsLeft({ system: { activeSet } }: Pick<ChainSnapshot, 'system'>): number {
  if (activeSet === undefined) return Infinity
  const { members, minMembers, changesLeft = Infinity } = activeSet
  return Math.min(changesLeft, members >= minMembers ? members - minMembers : Infinity)
}
