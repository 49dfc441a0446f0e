import type { Command } from '#ports/chain/staking-chain.ts'
import { wrongField } from '../../../fault.ts'
import { namedByPlace } from '../transactions/command-names.ts'

/** Refuses commands that are not those of an intent; names the first value that differs. */
export function refuseOtherCommands(given: readonly Command[], intended: readonly Command[]): void {
  const found = firstDifference(namedByPlace(given), namedByPlace(intended), 'commands')
  if (!found) return
  throw wrongField(found.field, `is ${show(found.given)}, but ${show(found.intended)} by \`intent\``, {
    instead: 'send the commands and the intent of one build',
  })
}

type Difference = { readonly field: string; readonly given: unknown; readonly intended: unknown }

function firstDifference(given: unknown, intended: unknown, field: string): Difference | undefined {
  const [members, others] = [membersOf(given), membersOf(intended)]
  if (!members || !others) return given === intended ? undefined : { field, given, intended }
  for (const name of new Set([...members.keys(), ...others.keys()])) {
    const path = Array.isArray(given) ? `${field}[${name}]` : `${field}.${name}`
    const found = firstDifference(members.get(name), others.get(name), path)
    if (found) return found
  }
  return undefined
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined

const show = (value: unknown): string => String(membersOf(value)?.get('kind') ?? value ?? '') || 'nothing'
