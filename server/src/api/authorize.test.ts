import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { currentNetwork } from '#domain/network/current-network.ts'
import type { Admission, AdmissionRequest, Decision } from '#ports/stores/admission.ts'
import { testClock } from '../../test/support/test-clock.ts'
import { Fault } from '../fault.ts'
import { openApi, outcomeOf } from './api.ts'
import { newAuditEntry, recordOutcomes } from './audit-entry.ts'
import type { CallContext } from './call.ts'
import type { RawInput } from './input/check-input.ts'
import { proveKeys } from './proven-keys.ts'

const ADMITTED: Decision = {
  kind: 'admitted',
  ticket: { number: 7, agentNo: undefined },
  agent: undefined,
  quota: undefined,
}

/** An API with one endpoint, on a store whose decision the test sets; `records` lists the entries of the audit log. */
function apiUnderTest() {
  const decision = Promise.withResolvers<Decision>()
  const records: string[] = []
  const asked: AdmissionRequest[] = []
  const admission: Admission = {
    admit: (request) => {
      asked.push(request)
      return decision.promise
    },
    finish: ({ number }, status) => records.push(`ticket ${number} ended with ${status}`),
    noteRefusal: ({ endpoint, status }) => records.push(`${endpoint} was refused with ${status}`),
    failure: () => undefined,
    noteAddress: () => {},
    addressCounts: async () => [],
  }
  const clock = testClock()
  const recordOutcome = recordOutcomes({ admission })
  const api = openApi(
    { scoring: { handle: () => ({ answer: { body: '{"ready":true}' } }) } },
    {
      admission,
      recordOutcome,
      network: currentNetwork({ clock, nodes: { states: () => [] } }),
      keyProofs: proveKeys(openSecrets({ keyPrefix: 'stk', pepper: 'x' }), 10),
      userTokens: { issue: () => assert.fail(), userIdOf: () => assert.fail(), verify: () => assert.fail() },
      isTokenStillValid: () => assert.fail(),
      lacksFactor: () => assert.fail(),
      clock,
      asRequest: (work) => work(),
    },
  )
  return { api, decision, records, recordOutcome, asked }
}

const NO_INPUT: RawInput = { kind: 'arguments', values: {} }

const contextOf = (more: Partial<CallContext> = {}): CallContext => ({
  client: '192.0.2.7',
  signal: () => new AbortController().signal,
  note: () => {},
  credentials: () => assert.fail('a public endpoint asks for no credential'),
  onQuota: () => {},
  audit: undefined,
  label: undefined,
  ...more,
})

/** Does what a transport does if its client disconnects while admission is pending. */
async function leaveWhilePending(service: ReturnType<typeof apiUnderTest>, decide: () => void) {
  const audit = newAuditEntry(0)
  const called = service.api.call('scoring', NO_INPUT, contextOf({ audit }))
  audit.outcome = { status: 499, latencyMs: 1 }
  service.recordOutcome(audit, '/scoring', '192.0.2.7')
  assert.deepEqual(service.records, [], 'nothing is recorded before the decision')
  decide()
  await called.catch(() => {})
}

test('a client that disconnects before it is admitted is recorded once, as admitted', async () => {
  const service = apiUnderTest()
  await leaveWhilePending(service, () => service.decision.resolve(ADMITTED))
  assert.deepEqual(service.records, ['ticket 7 ended with 499'])
})

test('a client that disconnects before it is refused is recorded once, as refused', async () => {
  const service = apiUnderTest()
  await leaveWhilePending(service, () => service.decision.reject(new Fault('store_not_ready', 'x')))
  assert.deepEqual(service.records, ['scoring was refused with 499'])
})

test('a call without an audit entry of its transport is recorded with its own status, under its label', async () => {
  const admitted = apiUnderTest()
  admitted.decision.resolve(ADMITTED)
  const answered = await outcomeOf(admitted.api, 'scoring', NO_INPUT, contextOf({ label: 'mcp:scoring' }))
  assert.deepEqual(answered, { kind: 'answered', answer: { body: '{"ready":true}' }, quota: undefined })
  assert.deepEqual(admitted.records, ['ticket 7 ended with 200'])
  assert.deepEqual(
    admitted.asked.map(({ endpoint, label }) => [endpoint, label]),
    [['scoring', 'mcp:scoring']],
  )

  const refused = apiUnderTest()
  refused.decision.resolve({ kind: 'unknown' })
  const outcome = await outcomeOf(refused.api, 'scoring', NO_INPUT, contextOf({ label: 'mcp:scoring' }))
  assert.equal(outcome.kind === 'refused' && outcome.fault.code, 'unauthorized')
  assert.deepEqual(refused.records, ['mcp:scoring was refused with 401'])
})

test('if the envelope of the transport has another status, the status of the call is recorded', async () => {
  const service = apiUnderTest()
  service.decision.resolve(ADMITTED)
  const audit = newAuditEntry(0)
  await service.api.call('scoring', NO_INPUT, contextOf({ audit }))
  audit.status = 409
  audit.outcome = { status: 200, latencyMs: 1 }
  service.recordOutcome(audit, '/mcp', '192.0.2.7')
  assert.deepEqual(service.records, ['ticket 7 ended with 409'])
})

test('a caller that is over its limit gets its quota with the refusal', async () => {
  const service = apiUnderTest()
  const quota = {
    limits: { rpm: 1, rpd: 9 },
    usedMinute: 1,
    usedDay: 1,
    minuteEndsAt: 60_000,
    dayEndsAt: 86_400_000,
  }
  service.decision.resolve({ kind: 'limited', quota, retryAt: 60_000 })
  const outcome = await outcomeOf(service.api, 'scoring', NO_INPUT, contextOf())
  assert.deepEqual(outcome.quota, quota)
  assert.equal(outcome.kind === 'refused' && outcome.fault.code, 'rate_limited')
})
