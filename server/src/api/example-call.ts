import { ENDPOINTS, type EndpointName, effectOf } from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { Fault, type NextCall } from '../fault.ts'
import type { RawInput } from './input/check-input.ts'
import { requiredIn } from './input/input-advice.ts'

/** Fields whose value means nothing to anybody else: no money, no address, no id, no mailbox. */
const FREE_NAMES: readonly string[] = ['agentName']

/**
 * The call of an endpoint. It comes with an example body only where nothing else than a free name must be chosen:
 * amounts, validators and senders are the caller's own choice, and an example's ids exist on one chain only.
 */
export const exampleCall = (endpoint: EndpointName): NextCall => ({ endpoint, given: freeExample(endpoint) })

function freeExample(endpoint: EndpointName): Readonly<Record<string, unknown>> | undefined {
  const required = requiredIn(ENDPOINTS[endpoint])
  const isHarmless = ENDPOINTS[endpoint].tag === 'Sandbox' || effectOf(endpoint) === 'none'
  if (!isHarmless || required.length === 0 || !required.every((field) => FREE_NAMES.includes(field)))
    return undefined
  const examples: { readonly [Name in EndpointName]?: Readonly<Record<string, unknown>> } = EXAMPLES
  return Object.fromEntries(required.map((field) => [field, examples[endpoint]?.[field]]))
}

/**
 * Reads the input of a call. A call without any input is refused with an example of the same call in `next`, where
 * there is one; a call with some input is not, because it is the caller's own that counts.
 */
export function withExample<T>(name: EndpointName, raw: RawInput, read: (raw: RawInput) => T): T {
  try {
    return read(raw)
  } catch (error) {
    const isRefused = error instanceof Fault && error.code === 'invalid_input'
    const canLead = isRefused && isWithoutInput(raw)
    const given = canLead ? freeExample(name) : undefined
    throw canLead && given ? error.with({ next: { endpoint: name, given } }) : error
  }
}

function isWithoutInput(raw: RawInput): boolean {
  if (raw.kind === 'arguments') return isEmpty(raw.values)
  try {
    return isEmpty(raw.body())
  } catch {
    return false
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
