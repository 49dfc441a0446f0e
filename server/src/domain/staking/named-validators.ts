import { call, type WrongField, wrongFields } from '../../fault.ts'
import type { StakeLimits } from './stake-limits.ts'
import type { StakeOptions } from './stake-options.ts'

/** Refuses unknown ids in limits: an ignored typo in `exclude` would send stake to the validator that was meant. */
export function checkNamed({ options }: StakeOptions, { exclude, groups = [] }: StakeLimits): void {
  if ((exclude === undefined || exclude.size === 0) && groups.length === 0) return
  const known = idsOf(options)
  const unknown: WrongField[] = []
  const check = (named: ReadonlySet<string>, fieldOf: () => string): void => {
    for (const id of named) if (!known.has(id)) unknown.push(unknownId(fieldOf(), id))
  }
  if (exclude) check(exclude, () => 'exclude')
  for (const [index, { validatorIds }] of groups.entries()) {
    check(validatorIds, () => `groups[${index}].validatorIds`)
  }
  const [first, ...others] = unknown
  if (first) throw wrongFields(first, ...others)
}

const unknownId = (field: string, id: string): WrongField => ({
  field,
  problem: `names ${id}, which no validator of this network has`,
  instead: `${call('validators')} lists them`,
  next: { endpoint: 'validators' },
})

/** Cache per snapshot, whose options never change. */
const ids = new WeakMap<StakeOptions['options'], ReadonlySet<string>>()

function idsOf(options: StakeOptions['options']): ReadonlySet<string> {
  const known = ids.get(options)
  if (known) return known
  const all = new Set(options.map(({ validatorId }) => validatorId))
  ids.set(options, all)
  return all
}
