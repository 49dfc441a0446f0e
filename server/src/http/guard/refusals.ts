import { Fault } from '../../fault.ts'

/** The `Retry-After` of the breaker. */
const OVERLOAD_WAIT_SECONDS = 5

export const tooManyFromHere = (seconds: number) =>
  new Fault('rate_limited', `Too many requests from this address. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  })

export const overloaded = () =>
  new Fault('service_overloaded', 'The service is over its total limit. Try again in a few seconds.', {
    retryAfterSeconds: OVERLOAD_WAIT_SECONDS,
  })
