import { call, Fault } from '../../fault.ts'
import type { Breach } from './wish.ts'

/** The limit of details in a refusal; the message gives the total number. */
const MAX_DETAILS = 50

/** The refusal of a build, with every rule that it breaks. */
export function policyRefusal(breaches: readonly Breach[]): Fault {
  const names = [...new Set(breaches.map(({ rule }) => rule))]
  const fix = `Change the request so that it complies with the rules in \`details\`, wait until \`clearsAt\`, release with ${call('releaseReservation')} what was built and will not be signed, or ask the owner of the agent to change its policy.`
  const listed = listedOf(breaches)
  const where =
    listed.length < breaches.length
      ? `\`details\` has ${listed.length} of ${breaches.length} limits, and ${call('simulatePolicy')} all of them`
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
    next: { endpoint: 'ownPolicy' },
  })
}

/** The details in the order of the policy, like a simulation. If the list is truncated, every rule is still in it. */
function listedOf(breaches: readonly Breach[]): readonly Breach[] {
  const firsts = new Map(breaches.toReversed().map((breach) => [breach.rule, breach])).values()
  const listed = new Set([...new Set([...firsts, ...breaches])].slice(0, MAX_DETAILS))
  return breaches.filter((breach) => listed.has(breach))
}
