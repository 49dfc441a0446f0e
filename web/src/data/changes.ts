import type { Network, Validator } from './queries.ts'

/** A change that the chain has decided or announced for a coming epoch, or that is likely. */
export type Change = {
  readonly kind: 'commission' | 'leaving' | 'joining' | 'at-risk' | 'nearest'
  readonly validator: Validator
  /** The stake concerned, for sorting. */
  readonly weight: number
}

/** A validator is at risk if its coming stake is less than this above the threshold. */
const RISK_HEADROOM = 0.05

export const nextStakeOf = ({ totalStake, pendingStake, withdrawingStake }: Validator): bigint =>
  BigInt(totalStake) + BigInt(pendingStake) - BigInt(withdrawingStake)

/** The stake that a member needs to stay, or that an outsider needs to come in. */
export const seatStakeOf = (
  { status }: Pick<Validator, 'status'>,
  { minValidatorStake, minValidatorJoiningStake }: Network,
): bigint =>
  BigInt(status === 'candidate' || status === 'inactive' ? minValidatorJoiningStake : minValidatorStake)

/** How far the coming stake is above what a validator needs, as a share of it: 0.05 is 5 % above. */
export function headroomOf(validator: Validator, network: Network): number {
  const threshold = Number(seatStakeOf(validator, network))
  return threshold === 0 ? Number.POSITIVE_INFINITY : Number(nextStakeOf(validator)) / threshold - 1
}

export function changesAhead(validators: readonly Validator[], network: Network): readonly Change[] {
  const changes = validators.flatMap((validator) =>
    kindsFor(validator, network).map((kind) => ({ kind, validator, weight: Number(validator.totalStake) })),
  )
  const isShort = changes.length < MIN_SHOWN
  const near = isShort ? nearestToThreshold(validators, network).slice(0, MIN_SHOWN - changes.length) : []
  return [...changes, ...near].toSorted(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.weight - a.weight,
  )
}

/** With fewer changes than this, the validators nearest to the threshold are shown, too. */
const MIN_SHOWN = 5

function nearestToThreshold(validators: readonly Validator[], network: Network): readonly Change[] {
  return validators
    .filter(({ status }) => status === 'active')
    .filter((validator) => headroomOf(validator, network) >= RISK_HEADROOM)
    .toSorted((a, b) => headroomOf(a, network) - headroomOf(b, network))
    .map((validator) => ({ kind: 'nearest', validator, weight: -headroomOf(validator, network) }))
}

const ORDER: readonly Change['kind'][] = ['commission', 'leaving', 'at-risk', 'joining', 'nearest']

function kindsFor(validator: Validator, network: Network): readonly Change['kind'][] {
  const { status, commissionRate, nextCommissionRate } = validator
  const kinds: Change['kind'][] = []
  if (nextCommissionRate !== commissionRate && status !== 'inactive') kinds.push('commission')
  if (status === 'leaving') kinds.push('leaving')
  if (status === 'pending') kinds.push('joining')
  if (status === 'active' && headroomOf(validator, network) < RISK_HEADROOM) kinds.push('at-risk')
  return kinds
}
