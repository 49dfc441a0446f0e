import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecrets } from '../../../system/system-secrets.ts'
import { type AgentContent, agentMac, isSealedAgent, resealed } from './agent-seal.ts'
import { isSealed, type KeyContent, keyMac } from './key-seal.ts'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })

const agent: AgentContent = {
  no: 1,
  id: 'agt_1',
  owner: 'ann',
  tier: 'free',
  status: 'active',
  rpm: null,
  rpd: 5,
  verify_by: null,
  policy_revision: null,
}
const key: KeyContent = { digest: 'd', id: null, scopes: 'read', networks: null, valid_until: 9 }
const other = (value: unknown) => (typeof value === 'number' ? value + 1 : value === null ? 1 : `${value}x`)

test('a change of any sealed column is noticed, and a missing row or MAC never counts as sealed', () => {
  const mac = agentMac(secrets, agent)
  assert(isSealedAgent(secrets, agent, mac))
  for (const [column, value] of Object.entries(agent))
    assert.equal(isSealedAgent(secrets, { ...agent, [column]: other(value) }, mac), false, column)
  const none = { no: 0, id: '', owner: '', tier: '', status: '', rpm: null, rpd: null, verify_by: null }
  const macOfNone = agentMac(secrets, { ...none, policy_revision: null })
  assert.equal(isSealedAgent(secrets, undefined, macOfNone), false)
  assert.equal(isSealedAgent(secrets, agent, null), false)
})

test('a change by the service renews a valid seal, and leaves an invalid one invalid', () => {
  const sealed = { ...agent, mac: agentMac(secrets, agent) }
  const changed = { ...agent, tier: 'pro' }
  assert.deepEqual(resealed(secrets, sealed, { tier: 'pro' }), { mac: agentMac(secrets, changed) })
  assert.deepEqual(resealed(secrets, { ...sealed, owner: 'eve' }, { tier: 'pro' }), {})
  assert.deepEqual(resealed(secrets, undefined, { tier: 'pro' }), {})
})

test('a key is bound to its agent and its limits', () => {
  const mac = keyMac(secrets, 'agt_1', key)
  assert(isSealed(secrets, 'agt_1', { ...key, mac }))
  assert.equal(isSealed(secrets, 'agt_2', { ...key, mac }), false)
  assert.equal(isSealed(secrets, undefined, { ...key, mac }), false)
  assert.equal(isSealed(secrets, 'agt_1', undefined), false)
  for (const [column, value] of Object.entries(key))
    assert.equal(isSealed(secrets, 'agt_1', { ...key, [column]: other(value), mac }), false, column)
})
