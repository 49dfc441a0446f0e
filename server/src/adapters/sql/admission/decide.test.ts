import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TIERS } from '@stakewright/contract/limits'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import type { AdmissionRequest, AgentRecord } from '#ports/stores/admission.ts'
import { sampleAgentRecord } from '../../../../test/agents/sample-agent-record.ts'
import { type BatchSubjects, decideBatch } from './decide.ts'

const AGENT = sampleAgentRecord()

/** A damaged row, with a tier that does not exist. */
const DAMAGED = { ...AGENT, no: 2, tier: 'gold' as AgentRecord['tier'] }

const SUBJECTS: BatchSubjects = {
  agentOf: (digest) => (digest === 'damaged' ? DAMAGED : AGENT),
  agentActivity: () => undefined,
  dayCounts: () => undefined,
  userActivity: () => undefined,
  chargeAgent() {},
  chargeUser() {},
  noteKeyUse() {},
  evict() {},
}

const requestOf = (digest: string): AdmissionRequest => ({
  claim: { kind: 'agent-key', digest: () => digest },
  endpoint: 'metadata',
  at: 0,
  truncatedAddress: '',
})

test('a damaged agent row fails its own request only; the rest of the batch is decided', () => {
  const requests = ['a', 'damaged', 'b'].map(requestOf)
  const { decisions, admitted } = decideBatch(admissionRules({ tiers: TIERS }), SUBJECTS, requests, 1)
  assert.deepEqual(
    decisions.map((decided) => (decided instanceof Error ? 'failed' : decided.kind)),
    ['admitted', 'failed', 'admitted'],
  )
  assert.equal(admitted.length, 2)
})
