import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL, approvalOf, openWithApprovals } from './with-approvals.ts'

test('400: an approval of a revoked agent no longer waits, and can be refused, but not approved', async () => {
  await using opened = await openWithApprovals()
  const { ann, agent, stake, decide, states } = opened
  const { approvalId } = await approvalOf(stake())
  assert.equal((await ann.waitingApprovals()).data.length, 1)
  await ann.revokeAgent({ id: agent.id })
  assert.deepEqual((await ann.waitingApprovals()).data, [])
  await assert.rejects(decide(approvalId, 'approve'), { code: 'invalid_input', message: /agent is revoked/ })
  assert.deepEqual(await states(), ['waiting'])
  await decide(approvalId, 'refuse')
  assert.deepEqual(await states(), ['refused'])
})

test('400: an approval that was granted before cannot be granted again once the agent is revoked', async () => {
  await using opened = await openWithApprovals()
  const { ann, agent, stake, decide } = opened
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'approve')
  await ann.revokeAgent({ id: agent.id })
  await assert.rejects(decide(approvalId, 'approve'), { code: 'invalid_input', message: /agent is revoked/ })
})

test('400: the policy of a revoked agent cannot be changed', async () => {
  await using opened = await openWithApprovals()
  const { ann, agent } = opened
  const { id } = agent
  await ann.revokeAgent({ id })
  const write = ann.writePolicy({ id, rules: [ALL, { rule: 'paused' }], revision: 1 })
  await assert.rejects(write, { code: 'invalid_input', message: /revoked for good/ })
  assert.equal((await ann.readPolicy({ id })).data?.revision, 1)
})
