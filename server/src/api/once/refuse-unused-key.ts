import { ENDPOINTS, type EndpointName, type EndpointSpec, effectOf } from '@stakewright/contract'
import { call, Fault, term } from '../../fault.ts'

/**
 * Refuses an `Idempotency-Key` where a repeat would do it all again: who sends it relies on that it does not. Where a call
 * changes nothing, it is right without one.
 */
export function refuseUnusedKey(name: EndpointName, key: string | undefined): void {
  const row: EndpointSpec = ENDPOINTS[name]
  if (key === undefined || row.isRepeatable || effectOf(name) === 'none') return
  const message = 'is not taken here: a repeat would do it again'
  throw new Fault('invalid_input', `\`${term('idempotencyKey')}\` ${message}. Nothing was done.`, {
    details: [{ field: term('idempotencyKey'), message }],
    fix: `Leave it out. It works with ${REPEATABLE.join(', ')}.`,
  })
}

const REPEATABLE = (Object.keys(ENDPOINTS) as EndpointName[]).flatMap((name) => {
  const row: EndpointSpec = ENDPOINTS[name]
  return row.isRepeatable ? [call(name)] : []
})
