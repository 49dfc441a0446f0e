import { Fault } from '../../fault.ts'
import type { Breach } from './wish.ts'

/** More would only make the answer long. */
const MOST_DETAILS = 50

/** The refusal of a build, with every rule that it breaks. */
export function policyRefusal(breaches: readonly Breach[]): Fault {
  const names = [...new Set(breaches.map(({ rule }) => rule))]
  const fix =
    'Change the request so that it keeps the rules in `details`, wait until `clearsAt`, give back with tx/release what was built and will not be signed, or ask the owner of the agent to change its policy.'
  const message = `The policy of this agent does not allow this: it breaks ${names.join(', ')}. Nothing was built; \`details\` has the limits.`
  return new Fault('forbidden', message, {
    details: breaches.slice(0, MOST_DETAILS).map(({ field, rule, limit, actual, clearsAt }) => ({
      field,
      message: `breaks the rule ${rule}: it allows ${limit}, and this is ${actual}`,
      rule,
      limit,
      actual,
      clearsAt: clearsAt === undefined ? null : new Date(clearsAt).toISOString(),
    })),
    fix,
    next: { method: 'GET', path: '/api/v1/staking/agent/policy' },
  })
}
