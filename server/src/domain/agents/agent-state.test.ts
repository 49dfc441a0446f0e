import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent, StoredStatus } from '#ports/stores/agents.ts'
import { statusAt, stepRefused, TRANSITIONS } from './agent-state.ts'

const STATES: readonly StoredStatus[] = ['pending_verification', 'active', 'suspended', 'revoked']

test('a pending agent is expired from the second its link ends, and no sooner', () => {
  const registeredAt = Date.UTC(2026, 0, 31, 12)
  const agent = { storedStatus: 'pending_verification', verifyBy: registeredAt + 86_400_000 } as const
  assert.equal(statusAt(agent, registeredAt + 86_399_000), 'pending_verification')
  assert.equal(statusAt(agent, registeredAt + 86_399_999), 'pending_verification')
  assert.equal(statusAt(agent, registeredAt + 86_400_000), 'expired')
})

test('no other state changes by the clock', () => {
  for (const storedStatus of STATES.slice(1)) {
    assert.equal(statusAt({ storedStatus, verifyBy: 1 }, 1_000), storedStatus)
  }
})

test('nothing leads out of revoked, and nothing but verification out of pending into active', () => {
  const steps = Object.entries(TRANSITIONS).flatMap(([name, { from, to }]) =>
    from.map((state) => ({ name, state, to })),
  )
  for (const { name, state, to } of steps) {
    assert.notEqual(state, 'revoked', name)
    if (state === 'pending_verification') assert(name === 'verify' || to === 'revoked', name)
  }
})

test('every state but revoked can be left for revoked', () => {
  const states = STATES.filter((state) => state !== 'revoked')
  assert.deepEqual(TRANSITIONS.revoke.from.toSorted(), states.toSorted())
})

test('a refused step says why; no step is refused to an active agent', () => {
  const agent = (storedStatus: StoredStatus) => toAgent({ storedStatus, verifyBy: undefined })
  assert.match(stepRefused('not_found', agent('revoked'), 0).message, /revoked for good/)
  assert.match(stepRefused('invalid_input', agent('suspended'), 0).message, /is suspended/)
  assert.equal(stepRefused('not_found', agent('revoked'), 0).code, 'not_found')
  assert.equal(stepRefused('not_found', agent('suspended'), 0).code, 'invalid_input', 'it is there')
  assert.throws(() => stepRefused('not_found', agent('active'), 0), /active agent/)
})

/** Nothing else of an agent is looked at. */
const toAgent = (part: Pick<Agent, 'storedStatus' | 'verifyBy'>) => part as Agent
