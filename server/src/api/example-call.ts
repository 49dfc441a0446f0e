import { ENDPOINTS, type EndpointName, type EndpointSpec, effectOf, ROUTES } from '@stakewright/contract'
import type { ErrorBody } from '@stakewright/contract/errors'
import { EXAMPLES } from '@stakewright/contract/examples'
import { extendFault, Fault } from '../fault.ts'

type ExampleCall = NonNullable<ErrorBody['next']>

/** The call of an endpoint. It comes with a body as an example where sending that as it is costs nobody anything. */
export function exampleCall(name: EndpointName): ExampleCall {
  const { method, path } = ROUTES[name]
  const { tag, body: schema }: EndpointSpec = ENDPOINTS[name]
  const isHarmless = tag === 'Sandbox' || effectOf(name) === 'none'
  if (schema === undefined || !isHarmless) return { method, path }
  const examples: { readonly [Name in EndpointName]?: Readonly<Record<string, unknown>> } = EXAMPLES
  const fields = Object.entries(examples[name] ?? {}).filter(([field]) => field in schema.shape)
  return { method, path, body: Object.fromEntries(fields) }
}

/** Reads the input of a call. Where it is refused and nothing leads on, an example of the same call does. */
export function withExample<T>(name: EndpointName, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const canLead = error instanceof Fault && error.code === 'invalid_input' && error.next === undefined
    const next = canLead ? exampleCall(name) : undefined
    throw canLead && next?.body ? extendFault(error, { next }) : error
  }
}
