import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Agent, StoredStatus } from '#ports/stores/agents.ts'
import { statusAt, stepRefused, TRANSITIONS } from './agent-state.ts'

const STATES: readonly StoredStatus[] = ['pending_verification', 'active', 'suspended', 'revoked']

test('a pending agent expires exactly when its link ends', () => {
  const registeredAt = Date.UTC(2026, 0, 31, 12)
  const agent = { storedStatus: 'pending_verification', verifyBy: registeredAt + 86_400_000 } as const
  assert.equal(statusAt(agent, registeredAt + 86_399_000), 'pending_verification')
  assert.equal(statusAt(agent, registeredAt + 86_399_999), 'pending_verification')
  assert.equal(statusAt(agent, registeredAt + 86_400_000), 'expired')
})

test('no other state changes with time', () => {
  for (const storedStatus of STATES.slice(1)) {
    assert.equal(statusAt({ storedStatus, verifyBy: 1 }, 1_000), storedStatus)
  }
})

test('no transition leaves revoked, and only verification makes a pending agent active', () => {
  const steps = Object.entries(TRANSITIONS).flatMap(([name, { from, to }]) =>
    from.map((state) => ({ name, state, to })),
  )
  for (const { name, state, to } of steps) {
    assert.notEqual(state, 'revoked', name)
    if (state === 'pending_verification') assert(name === 'verify' || to === 'revoked', name)
  }
})

test('every other state can change to revoked', () => {
  const states = STATES.filter((state) => state !== 'revoked')
  assert.deepEqual(TRANSITIONS.revoke.from.toSorted(), states.toSorted())
})

test('a refused step names the state; asking for the refusal of an active agent is an assertion', () => {
  const agent = (storedStatus: StoredStatus) => toAgent({ storedStatus, verifyBy: undefined })
  assert.match(stepRefused('not_found', agent('revoked'), 0).message, /revoked for good/)
  assert.match(stepRefused('invalid_input', agent('suspended'), 0).message, /is suspended/)
  assert.equal(stepRefused('not_found', agent('revoked'), 0).code, 'not_found')
  assert.equal(stepRefused('not_found', agent('suspended'), 0).code, 'invalid_input', 'it is there')
  assert.throws(() => stepRefused('not_found', agent('active'), 0), /active agent/)
})

/** Sound: the functions under test read no other property of an agent. */
const toAgent = (part: Pick<Agent, 'storedStatus' | 'verifyBy'>) => part as Agent
