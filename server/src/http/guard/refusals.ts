import type { AddressBudget } from '@stakewright/contract'
import { Fault } from '../../fault.ts'

/** The `Retry-After` of the breaker. */
const OVERLOAD_WAIT_SECONDS = 5

/** The requests that count for a budget, as a refusal names them. */
const COUNTED: Readonly<Record<AddressBudget | 'ordinary', string>> = {
  'sign-in': ' that sign in',
  'key-revocation': ' that end or report keys',
  'agent-revocation': ' that list and end agents, keys and sessions',
  ordinary: ', whatever keys it uses,',
}

export const tooManyFromHere = (budget: AddressBudget | undefined, perMinute: number, seconds: number) =>
  new Fault(
    'rate_limited',
    `The limit of ${perMinute} requests per minute from one address${COUNTED[budget ?? 'ordinary']} is used up. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  )

export const overloaded = () =>
  new Fault('service_overloaded', 'The service is over its total limit. Try again in a few seconds.', {
    retryAfterSeconds: OVERLOAD_WAIT_SECONDS,
  })
