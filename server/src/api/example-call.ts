import { ENDPOINTS, type EndpointName, effectOf } from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { Fault, type NextCall } from '../fault.ts'
import { isEmpty, type RawInput } from './input/check-input.ts'
import { requiredIn } from './input/input-advice.ts'

/** Fields that may have any value, so that the example's can be sent unchanged. */
const FREE_NAMES: readonly string[] = ['agentName']

/**
 * The call of an endpoint. It has an example body only if all required fields are in `FREE_NAMES`: amounts, validators
 * and senders are the caller's own choice, and the ids of an example do not exist on every chain.
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
 * Reads the input of a call. If a call without any input is refused, `next` has an example of the same call, if there
 * is one. A call with some input gets none, because the example would replace the caller's values.
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
