import { ENDPOINTS, type EndpointName, type EndpointSpec, effectOf, ROUTES } from '@stakewright/contract'
import type { ErrorBody } from '@stakewright/contract/errors'
import { EXAMPLES } from '@stakewright/contract/examples'
import { extendFault, Fault } from '../fault.ts'
import type { RawInput } from './input/check-input.ts'
import { requiredIn } from './input/input-advice.ts'

type ExampleCall = NonNullable<ErrorBody['next']>

/**
 * The call of an endpoint. It comes with what a body must have, as an example, where sending that as it is costs nobody
 * anything. What it may have besides is the caller's own choice.
 */
export function exampleCall(name: EndpointName): ExampleCall {
  const { method, path } = ROUTES[name]
  const { tag, body: schema }: EndpointSpec = ENDPOINTS[name]
  const isHarmless = tag === 'Sandbox' || ['none', 'reserves'].includes(effectOf(name))
  if (schema === undefined || !isHarmless) return { method, path }
  const examples: { readonly [Name in EndpointName]?: Readonly<Record<string, unknown>> } = EXAMPLES
  // Without a sender nothing is built that a wallet could sign.
  const required = [...requiredIn(ENDPOINTS[name]), 'sender']
  const fields = Object.entries(examples[name] ?? {}).filter(
    ([field]) => field in schema.shape && required.includes(field),
  )
  return fields.length === 0 ? { method, path } : { method, path, body: Object.fromEntries(fields) }
}

/**
 * Reads the input of a call. A call without any input is refused with an example of the same call in `next`; a call
 * with some input is not, because the example's amount could be taken for the caller's own.
 */
export function withExample<T>(name: EndpointName, raw: RawInput, read: (raw: RawInput) => T): T {
  try {
    return read(raw)
  } catch (error) {
    const isRefused = error instanceof Fault && error.code === 'invalid_input'
    const canLead = isRefused && isWithoutInput(raw)
    const next = canLead ? exampleCall(name) : undefined
    throw canLead && next?.body ? extendFault(error, { next }) : error
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
