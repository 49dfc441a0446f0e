import type { Input } from '@stakewright/client'
import { readNumber } from '../parts/typed/amount.ts'
import type { Validator } from './queries.ts'
import { findNamed, unnamedText } from './validators/named.ts'

type StakeGroup = NonNullable<Input<'allocate'>['groups']>[number]

type ParsedGroups =
  | { readonly kind: 'ok'; readonly groups: readonly StakeGroup[] }
  | { readonly kind: 'problem'; readonly text: string }

/** Validators that belong together, one group per line: `name: 30%: validator, validator`. */
export function parseGroups(text: string, validators: readonly Validator[]): ParsedGroups {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const groups: StakeGroup[] = []
  for (const [index, line] of lines.entries()) {
    const group = parseGroup(line, validators)
    if (typeof group === 'string') return { kind: 'problem', text: `Line ${index + 1}: ${group}` }
    groups.push(group)
  }
  return { kind: 'ok', groups }
}

function parseGroup(line: string, validators: readonly Validator[]): StakeGroup | string {
  const [name = '', share = '', members = ''] = line.split(':').map((part) => part.trim())
  const percent = readNumber(share) ?? Number.NaN
  if (name === '' || !(percent > 0 && percent <= 100) || members === '')
    return 'write a name, the largest share and the validators, such as “North: 30%: Mossy Ridge, Fern Dune”.'
  const validatorIds: string[] = []
  for (const wanted of members.split(',').map((one) => one.trim())) {
    const found = findNamed(wanted, validators)
    if (found.kind !== 'one') return unnamedText(wanted, found)
    validatorIds.push(found.id)
  }
  return { name, maxShare: percent / 100, validatorIds }
}
