import { type Fault, wrongField } from '../../../fault.ts'
import type { FieldTerms } from './allocation-field.ts'

/** Refuses an amount that needs one transaction and is above what the policy lets one stake. */
export const aboveTransactionLimit = (most: bigint) =>
  wrongField(
    'amount',
    `must be at most ${most} smallest units, because the policy of this agent limits what one transaction stakes (maxPerTx)`,
    { instead: 'build that much, then ask again for the rest with `owner`' },
  )

/** Refuses an amount that no number of stakes of the policy's size adds up to. */
export const notInStakes = (least: bigint, most: bigint) =>
  wrongField(
    'amount',
    `cannot be staked in transactions of ${least} (minStakeAmount) to ${most} smallest units, the most that the policy of this agent lets one stake (maxPerTx)`,
    { instead: most < least ? 'ask the owner of the agent to raise it' : `try a multiple of ${most}` },
  )

type Search = {
  /** True: no split exists. False: none was found within the work limit. */
  readonly isProven: boolean
  /** The largest number of validators that a split may use. */
  readonly maxChosen: number
  /** A larger number of validators that can hold the amount, if there is one. */
  readonly enough: number | undefined
}

/** Refuses limits that no split was found within. */
export function noSplit({ limits: { groups = [] }, mustAdd }: FieldTerms, search: Search) {
  if (!search.isProven && groups.length > 0)
    return wrongField('groups', 'overlap so much that no split of this amount was found in time', {
      instead: 'raise their `maxShare`, raise `maxValidators`, or merge groups',
    })
  if (mustAdd)
    return wrongField(
      'amount',
      'cannot be staked: stake lies with fewer validators than the policy of this agent asks for (minValidators), so another one must get a part, and the other limits leave no room for that',
      { instead: 'loosen them, or raise `maxValidators`' },
    )
  if (groups.length === 0)
    return wrongField('maxShare', 'is too small for this amount', { instead: 'raise it or leave it out' })
  const { maxChosen, enough } = search
  return enough === undefined
    ? wrongField('groups', 'leave too little room for this amount', { instead: 'raise their `maxShare`' })
    : wrongField(
        'groups',
        `leave too little room for this amount with ${maxChosen} validator${maxChosen === 1 ? '' : 's'}`,
        { instead: `raise \`maxValidators\` to ${enough}, or their \`maxShare\`` },
      )
}

/**
 * Refuses a `maxShare` that is too small for `count` validators, the largest number allowed, to hold the amount.
 * `needed` is a number of validators that could; undefined: more validators do not help.
 */
export function shareTooSmall(count: number, needed: number | undefined): Fault {
  const validators = `${count} validator${count === 1 ? '' : 's'}`
  const more = needed === undefined ? '' : `, or \`maxValidators\` at least ${needed}`
  const fault = wrongField(
    'maxShare',
    `is too small: the amount can go to ${validators} at most, so it must be at least ${1 / count}${more}`,
  )
  if (needed === undefined) return fault
  const also = { field: 'maxValidators', message: `must be at least ${needed}` }
  return fault.with({ details: [...(fault.details ?? []), also] })
}
