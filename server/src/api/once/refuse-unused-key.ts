import { ENDPOINTS, type EndpointName, type EndpointSpec, effectOf } from '@stakewright/contract'
import { call, Fault, term } from '../../fault.ts'

/**
 * Refuses an `Idempotency-Key` at endpoints that would execute a repeat again, because its sender relies on the
 * contrary. At endpoints without effects the key is accepted and ignored.
 */
export function refuseUnusedKey(name: EndpointName, key: string | undefined): void {
  const row: EndpointSpec = ENDPOINTS[name]
  if (key === undefined || row.isRepeatable || effectOf(name) === 'none') return
  const message = 'is not accepted here: a repeat would execute the call again'
  throw new Fault('invalid_input', `\`${term('idempotencyKey')}\` ${message}. Nothing was done.`, {
    details: [{ field: term('idempotencyKey'), message }],
    fix: `Leave it out. It works with ${REPEATABLE.join(', ')}.`,
  })
}

const REPEATABLE = (Object.keys(ENDPOINTS) as EndpointName[]).flatMap((name) => {
  const row: EndpointSpec = ENDPOINTS[name]
  return row.isRepeatable ? [call(name)] : []
})
