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
  const { maxChosen, enough } = search
  if (groups.length === 0) return shareTooSmallBesideStake(enough)
  return enough === undefined
    ? wrongField('groups', 'leave too little room for this amount', { instead: 'raise their `maxShare`' })
    : wrongField('groups', `leave too little room for this amount with ${plural(maxChosen)}`, {
        instead: `raise \`maxValidators\` to ${enough}, or their \`maxShare\``,
      })
}

/** Refuses a `maxShare` that is too small beside the existing stake. */
function shareTooSmallBesideStake(enough: number | undefined): Fault {
  const more = enough === undefined ? '' : `, or raise \`maxValidators\` to ${enough}`
  const fault = wrongField('maxShare', 'is too small for this amount', {
    instead: `raise it or leave it out${more}`,
  })
  if (enough === undefined) return fault
  const also = { field: 'maxValidators', message: `must be at least ${enough}` }
  return fault.with({ details: [...(fault.details ?? []), also] })
}

/** What besides a larger `maxShare` would do. */
type ShareHelp = {
  /** A number of validators that could hold the amount; undefined: more validators do not help. */
  readonly maxValidators?: number | undefined
  /** An amount that is enough for stakes with as many validators as the share takes. */
  readonly amount?: bigint | undefined
  /** The same, if the policy lets one transaction stake less. */
  readonly maxPerTx?: bigint | undefined
}

/** Refuses a `maxShare` that is too small for `count` validators, the largest number allowed, to hold the amount. */
export function shareTooSmall(count: number, help: ShareHelp): Fault {
  const also = (['maxValidators', 'amount', 'maxPerTx'] as const).flatMap((field) =>
    help[field] === undefined ? [] : [{ field, least: help[field] }],
  )
  const more = also.map(({ field, least }) => `, or \`${field}\` at least ${least}`).join('')
  const fault = wrongField(
    'maxShare',
    `is too small: the amount can go to ${plural(count)} at most, so it must be at least ${1 / count}${more}`,
  )
  const details = also.map(({ field, least }) => ({ field, message: `must be at least ${least}` }))
  return fault.with({ details: [...(fault.details ?? []), ...details] })
}

const plural = (count: number): string => `${count} validator${count === 1 ? '' : 's'}`
