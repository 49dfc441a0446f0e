import { Fault } from '../../fault.ts'
import type { Breach } from './wish.ts'

/** More would only make the answer long; the message says how many there are. */
const MOST_DETAILS = 50

/** The refusal of a build, with every rule that it breaks. */
export function policyRefusal(breaches: readonly Breach[]): Fault {
  const names = [...new Set(breaches.map(({ rule }) => rule))]
  const fix =
    'Change the request so that it keeps the rules in `details`, wait until `clearsAt`, give back with tx/release what was built and will not be signed, or ask the owner of the agent to change its policy.'
  const listed = listedFirst(breaches).slice(0, MOST_DETAILS)
  const where =
    listed.length < breaches.length
      ? `\`details\` has ${listed.length} of ${breaches.length} limits, and policy/simulate all of them`
      : '`details` has the limits'
  const message = `The policy of this agent does not allow this: it breaks ${names.join(', ')}. Nothing was built; ${where}.`
  return new Fault('forbidden', message, {
    details: listed.map(({ field, rule, limit, actual, clearsAt }) => ({
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

/** Every rule once before any comes again, so that none is missing where not all are listed. */
function listedFirst(breaches: readonly Breach[]): readonly Breach[] {
  const [first, again] = [new Map<string, Breach>(), [] as Breach[]]
  for (const breach of breaches)
    if (first.has(breach.rule)) again.push(breach)
    else first.set(breach.rule, breach)
  return [...first.values(), ...again]
}
