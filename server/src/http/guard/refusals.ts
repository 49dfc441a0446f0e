import { Fault } from '../../fault.ts'

/** The `Retry-After` of the breaker. */
const OVERLOAD_WAIT_SECONDS = 5

export const tooManyFromHere = (perMinute: number, seconds: number) =>
  new Fault(
    'rate_limited',
    `The limit of ${perMinute} requests per minute from one address, whatever keys it uses, is used up. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  )

export const overloaded = () =>
  new Fault('service_overloaded', 'The service is over its total limit. Try again in a few seconds.', {
    retryAfterSeconds: OVERLOAD_WAIT_SECONDS,
  })
