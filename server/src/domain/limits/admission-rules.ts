import type {
  Activity,
  AdmissionRequest,
  AdmissionRules,
  AgentRecord,
  DayCounts,
  Quota,
  RuleOutcome,
} from '#ports/stores/admission.ts'
import type { RateLimits, Tier } from '#ports/stores/agents.ts'
import { statusAt } from '../agents/agent-state.ts'
import { ENDPOINT_KINDS, isBuilder } from '../agents/endpoint-kinds.ts'
import { isAllowedFrom } from '../agents/keys/allowed-networks.ts'
import { charge } from './window.ts'

/** A build counts as aware if a look-up and a policy check came at most this long before it. */
const CARE_MS = 900_000

type Needs = { readonly tiers: Readonly<Record<Tier, RateLimits>> }

/**
 * The rules of admission. Pure functions, which the store calls between its reads and writes, inside one
 * transaction.
 */
export function admissionRules({ tiers }: Needs): AdmissionRules {
  return {
    decideForAgent(agent, activity, request) {
      const refusal = refusalOf(agent, request)
      if (refusal) return refusal
      const { rpm, rpd } = agent?.customLimits ?? tiers[agent?.tier ?? 'free']
      return decide({ rpm, rpd }, activity, request)
    },
    decideForUser: decide,
    countDay,
  }
}

function refusalOf(
  agent: AgentRecord | undefined,
  { at, client }: AdmissionRequest,
): RuleOutcome | undefined {
  if (!agent) return { kind: 'unknown' }
  const { key, keyValidUntil } = agent
  if (keyValidUntil !== undefined && at >= keyValidUntil) {
    return { kind: 'unusable', status: key ? endOf(keyValidUntil) : 'replaced' }
  }
  const status = statusAt(agent, at)
  if (status !== 'active') return { kind: 'unusable', status }
  // Checked before charging, so that a thief of the key cannot use up its quota from another network.
  return !key || isAllowedFrom(client, key.networks)
    ? undefined
    : { kind: 'unusable', status: 'other_network' }
}

/** A revoked key is stored with the end 0, which is in the past for every clock. */
const endOf = (validUntil: number) => (validUntil === 0 ? 'key_revoked' : 'key_expired')

function decide(limits: RateLimits, activity: Activity | undefined, request: AdmissionRequest): RuleOutcome {
  if (request.isUncharged) return uncharged({ ...usedOf(activity, request.at), limits }, activity)
  const charged = charge(activity, limits, request.at)
  if (charged.kind === 'limited') return request.isLastResort ? uncharged(charged.quota, activity) : charged
  const kind = ENDPOINT_KINDS[request.endpoint]
  const isNow = (wanted: typeof kind, before: number | undefined) =>
    kind === wanted ? request.at : (before ?? 0)
  return {
    kind: 'admit',
    quota: charged.quota,
    activity: {
      ...charged.used,
      lastUsedAt: Math.max(request.at, activity?.lastUsedAt ?? 0),
      lastLookUpAt: isNow('look-up', activity?.lastLookUpAt),
      lastPolicyCheckAt: isNow('policy-check', activity?.lastPolicyCheckAt),
    },
  }
}

/** Admits without charging. The limit of the address still applies. */
const uncharged = (quota: Quota, activity: Activity | undefined): RuleOutcome => ({
  kind: 'admit',
  quota,
  activity: activity ?? UNUSED,
})

/** The current usage. With limits of 0, `charge` charges nothing. */
export const usedOf = (activity: Activity | undefined, at: number): Quota =>
  charge(activity, { rpm: 0, rpd: 0 }, at).quota

const UNUSED: Activity = {
  minuteStart: 0,
  minuteUsed: 0,
  dayStart: 0,
  dayUsed: 0,
  lastUsedAt: 0,
  lastLookUpAt: 0,
  lastPolicyCheckAt: 0,
}

/** The name under which free calls are counted, because the verifier compares the counts with the log. */
export const FREE_CALLS = 'free'

function countDay(
  day: DayCounts | undefined,
  before: Activity | undefined,
  request: AdmissionRequest,
): DayCounts {
  const tool = request.isUncharged ? FREE_CALLS : request.endpoint
  const tools = { ...day?.tools, [tool]: (day?.tools[tool] ?? 0) + 1 }
  const built = !request.isUncharged && isBuilder(request.endpoint) ? 1 : 0
  const earliest = request.at - CARE_MS
  const isAware =
    before !== undefined && before.lastLookUpAt >= earliest && before.lastPolicyCheckAt >= earliest
  return {
    tools,
    built: (day?.built ?? 0) + built,
    builtAware: (day?.builtAware ?? 0) + (isAware ? built : 0),
  }
}
