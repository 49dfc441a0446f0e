import type { AgentRecord } from '#ports/stores/admission.ts'

/** An active agent of the free tier with its first key, as admission reads it. */
export const sampleAgentRecord = (change: Partial<AgentRecord> = {}): AgentRecord => ({
  no: 1,
  id: 'a',
  tier: 'free',
  storedStatus: 'active',
  customLimits: undefined,
  verifyBy: undefined,
  keyValidUntil: undefined,
  key: undefined,
  policyRevision: undefined,
  ...change,
})
