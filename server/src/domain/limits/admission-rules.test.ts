import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Activity, AdmissionRequest, AgentRecord } from '#ports/stores/admission.ts'
import { sampleAgentRecord } from '../../../test/agents/sample-agent-record.ts'
import { admissionRules } from './admission-rules.ts'

const NOON = Date.UTC(2026, 0, 1, 12)
const CARE_MS = 15 * 60_000
const TIERS = {
  free: { rpm: 1, rpd: 2 },
  builder: { rpm: 3, rpd: 4 },
  pro: { rpm: 5, rpd: 6 },
  enterprise: { rpm: 7, rpd: 8 },
}
const AGENT = sampleAgentRecord({ tier: 'builder' })
const NAMED = { id: 'key_1', scopes: [], networks: ['192.0.2.0/24'] }
const rules = admissionRules({ tiers: TIERS })

const requestAt = (at: number, change: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  claim: { kind: 'nobody' },
  endpoint: 'usage',
  at,
  truncatedAddress: '192.0.2.0',
  client: '192.0.2.7',
  ...change,
})

/**
 * The decision about the agent's request at noon: `admit`, `limited`, or the reason of the refusal. Every refusal
 * charges nothing: its outcome has no activity to store.
 */
function decided(agent: Partial<AgentRecord> | undefined, change: Partial<AdmissionRequest> = {}): string {
  const outcome = rules.decideForAgent(agent && { ...AGENT, ...agent }, undefined, requestAt(NOON, change))
  assert.equal('activity' in outcome, outcome.kind === 'admit')
  if (outcome.kind === 'limited') assert.deepEqual([outcome.quota.usedMinute, outcome.quota.usedDay], [0, 0])
  return outcome.kind === 'unusable' ? outcome.status : outcome.kind
}

test('a key works before its end; from then on a refusal has the reason and charges nothing', () => {
  assert.equal(decided(undefined), 'unknown')
  assert.equal(decided({}), 'admit')
  assert.equal(decided({ keyValidUntil: NOON + 1 }), 'admit')
  assert.equal(decided({ keyValidUntil: NOON }), 'replaced')
  assert.equal(decided({ key: NAMED, keyValidUntil: NOON }), 'key_expired')
  assert.equal(decided({ key: NAMED, keyValidUntil: 1 }), 'key_expired')
  assert.equal(decided({ key: NAMED, keyValidUntil: 0 }), 'key_revoked')
  assert.equal(decided({ storedStatus: 'suspended' }), 'suspended')
})

test('a named key is refused from other networks', () => {
  assert.equal(decided({ key: NAMED }), 'admit')
  assert.equal(decided({ key: NAMED }, { client: '198.51.100.1' }), 'other_network')
})

test('custom limits override those of the tier; a used-up limit only admits last resorts and uncharged requests', () => {
  const quotaOf = (agent: Partial<AgentRecord>) => {
    const outcome = rules.decideForAgent({ ...AGENT, ...agent }, undefined, requestAt(NOON))
    return outcome.kind === 'admit' ? outcome.quota.limits : undefined
  }
  assert.deepEqual(quotaOf({}), TIERS.builder)
  assert.deepEqual(quotaOf({ customLimits: { rpm: 9, rpd: 9 } }), { rpm: 9, rpd: 9 })
  const used = { customLimits: { rpm: 0, rpd: 0 } }
  assert.equal(decided(used), 'limited')
  assert.equal(decided(used, { isLastResort: true }), 'admit')
  assert.equal(decided(used, { isUncharged: true }), 'admit')
})

test('an uncharged request changes no counter; a charged one updates the counters and the time of its kind', () => {
  const activityOf = (before: Activity | undefined, change: Partial<AdmissionRequest>) => {
    const outcome = rules.decideForAgent(AGENT, before, requestAt(NOON, change))
    return outcome.kind === 'admit' ? outcome.activity : undefined
  }
  const first = activityOf(undefined, { endpoint: 'scoredValidators' })
  assert.deepEqual([first?.minuteUsed, first?.dayUsed, first?.lastUsedAt], [1, 1, NOON])
  assert.deepEqual([first?.lastLookUpAt, first?.lastPolicyCheckAt], [NOON, 0])
  assert.equal(activityOf(first, { isUncharged: true }), first)
  const none = activityOf(undefined, { isUncharged: true })
  assert(none)
  assert.deepEqual(
    Object.values(none).filter((value) => value !== 0),
    [],
  )
  assert(first)
  const later = { ...first, lastUsedAt: NOON + 5 }
  assert.equal(activityOf(later, {})?.lastUsedAt, NOON + 5, 'a last use never moves back')
})

test('a build counts as aware up to 15 minutes after both a look-up and a policy check', () => {
  const careOf = (lookUp: number, policyCheck: number, change: Partial<AdmissionRequest> = {}) => {
    const before = {
      ...{ minuteStart: 0, minuteUsed: 0, dayStart: 0, dayUsed: 0, lastUsedAt: 0 },
      lastLookUpAt: NOON - lookUp,
      lastPolicyCheckAt: NOON - policyCheck,
    }
    const { built, builtAware } = rules.countDay(
      { tools: { buildStake: 1 }, built: 1, builtAware: 1 },
      before,
      requestAt(NOON, { endpoint: 'buildStake', ...change }),
    )
    return [built, builtAware]
  }
  assert.deepEqual(careOf(CARE_MS, CARE_MS), [2, 2])
  assert.deepEqual(careOf(CARE_MS + 1, CARE_MS), [2, 1])
  assert.deepEqual(careOf(CARE_MS, CARE_MS + 1), [2, 1])
  assert.deepEqual(careOf(0, 0, { isUncharged: true }), [1, 1])
  assert.deepEqual(careOf(0, 0, { endpoint: 'usage' }), [1, 1])
  const { built, builtAware } = rules.countDay(
    undefined,
    undefined,
    requestAt(NOON, { endpoint: 'buildStake' }),
  )
  assert.deepEqual([built, builtAware], [1, 0])
})

test('daily counts are kept by endpoint; uncharged requests count as `free`', () => {
  const before = { tools: { usage: 2, metadata: 1 }, built: 0, builtAware: 0 }
  assert.deepEqual(rules.countDay(before, undefined, requestAt(NOON)).tools, { usage: 3, metadata: 1 })
  assert.deepEqual(rules.countDay(undefined, undefined, requestAt(NOON)).tools, { usage: 1 })
  const free = rules.countDay(before, undefined, requestAt(NOON, { isUncharged: true }))
  assert.deepEqual(free.tools, { usage: 2, metadata: 1, free: 1 })
})
