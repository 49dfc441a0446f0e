import { endpointAt, ROUTES } from '@stakewright/contract'
import { exampleCall } from '#api/example-call.ts'
import { missingFields } from '#api/input/missing-fields.ts'
import { call, type Fault, refusal, term } from '../fault.ts'
import type { RequestHead } from './guard/request-head.ts'

type Served = { readonly method: string; readonly path: string }

type WrongMethod = {
  readonly method: string
  /** The methods of the path. */
  readonly allow: string
  /** The route most likely meant. Its path is the template, because the path as sent may contain a secret. */
  readonly meant: Served
  readonly headers: RequestHead['headers']
}

/** 405 with all that the right call needs: its fields, and how to get a key if none was sent. */
export function wrongMethod(
  { method, allow, meant, headers }: WrongMethod,
  served: readonly Served[],
): Fault {
  const endpoint = endpointAt(meant.method, meant.path)
  const details = endpoint === undefined ? [] : missingFields(endpoint)
  const lacksKey =
    endpoint !== undefined &&
    ROUTES[endpoint].auth === 'agent-key' &&
    headers['x-api-key'] === undefined &&
    headers.authorization === undefined
  const keyEndpoint = served.some(({ path }) => path === ROUTES.sandboxKey.path)
    ? 'sandboxKey'
    : 'selfRegister'
  const withKey = lacksKey
    ? ` An API key is required, too. ${term('sendKey')}. ${call(keyEndpoint)} gives one.`
    : ''
  return refusal('invalid_input', `${method} is not possible here.`, `Use one of: ${allow}.${withKey}`, {
    status: 405,
    headers: { allow },
    ...(details.length > 0 && { details }),
    next: lacksKey ? exampleCall(keyEndpoint) : meant,
  })
}
