import type { Fault } from '../../../fault.ts'
import { refusedLimit } from '../stake-limits.ts'
import type { FieldTerms } from './allocation-field.ts'

/** Refuses an amount that needs one transaction and is above what the policy lets one stake. */
export const aboveTransactionLimit = (most: bigint) =>
  refusedLimit(
    'amount',
    `must be at most ${most}, because the policy of this agent limits what one transaction stakes (maxPerTx). Build that much, then ask again for the rest with \`owner\`.`,
  )

/** Refuses an amount that no number of stakes of the policy's size adds up to. */
export const notInStakes = (least: bigint, most: bigint) =>
  refusedLimit(
    'amount',
    `cannot be staked in transactions of ${least} (minStakeAmount) to ${most}, the most that the policy of this agent lets one stake (maxPerTx). ${most < least ? 'Ask the owner of the agent to raise it.' : `Try a multiple of ${most}.`}`,
  )

/** Refuses limits that no split was found within. */
export function noSplit({ limits: { groups = [] }, mustAdd }: FieldTerms) {
  const members = groups.flatMap(({ validatorIds }) => [...validatorIds])
  const overlap = new Set(members).size < members.length
  if (mustAdd)
    return refusedLimit(
      'amount',
      'cannot be staked: stake lies with fewer validators than the policy of this agent asks for (minValidators), so another one must get a part, and the other limits leave no room for that. Loosen them, or raise `maxValidators`.',
    )
  if (overlap) {
    return refusedLimit(
      'groups',
      'overlap, and no split of this amount within their caps was found. Raise their maxShare or maxValidators, or join groups.',
    )
  }
  return groups.length > 0
    ? refusedLimit('groups', 'leave too little room for this amount; raise their maxShare or maxValidators.')
    : refusedLimit('maxShare', 'is too small for this amount; raise it or leave it out.')
}

/** Refuses a `maxShare` with which `count` validators, the most that may be used, cannot hold the amount. */
export function shareTooSmall(count: number, couldBeMore: boolean): Fault {
  const more = couldBeMore ? ', or `maxValidators` higher' : ''
  const validators = `${count} validator${count === 1 ? '' : 's'}`
  return refusedLimit(
    'maxShare',
    `is too small: the amount can go to ${validators} at most, so it must be at least ${1 / count}${more}.`,
  )
}
