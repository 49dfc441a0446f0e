import { Fault } from '../../fault.ts'
import type { StakeLimits } from './stake-limits.ts'
import type { StakeOptions } from './stake-options.ts'

/** Refuses limits that name an id no validator has: ignored, it would send stake to whoever was meant by it. */
export function checkNamed({ options }: StakeOptions, { exclude, groups = [] }: StakeLimits): void {
  if ((exclude === undefined || exclude.size === 0) && groups.length === 0) return
  const known = idsOf(options)
  const details: { readonly field: string; readonly message: string }[] = []
  const check = (named: ReadonlySet<string>, fieldOf: () => string): void => {
    for (const id of named) if (!known.has(id)) details.push(unknownId(fieldOf(), id))
  }
  if (exclude) check(exclude, () => 'exclude')
  for (const [index, { validatorIds }] of groups.entries()) {
    check(validatorIds, () => `groups[${index}].validatorIds`)
  }
  const [first] = details
  if (!first) return
  const more = details.length > 1 ? ` (and ${details.length - 1} more: see details)` : ''
  throw new Fault('invalid_input', `\`${first.field}\` ${first.message}${more}.`, { details })
}

const unknownId = (field: string, id: string) => ({
  field,
  message: `names ${id}, which no validator of this network has; GET /api/v1/staking/validators lists them`,
})

/** A market's options stay the same until the next snapshot. */
const ids = new WeakMap<StakeOptions['options'], ReadonlySet<string>>()

function idsOf(options: StakeOptions['options']): ReadonlySet<string> {
  const known = ids.get(options) ?? new Set(options.map(({ validatorId }) => validatorId))
  ids.set(options, known)
  return known
}
