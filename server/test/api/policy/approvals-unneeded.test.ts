import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ABOVE_FIVE, ALL, approvalOf, openWithApprovals } from './with-approvals.ts'

test('200: a waiting approval is used up by a build with it once no rule needs it any more', async () => {
  await using opened = await openWithApprovals()
  const { ann, agent, stake, decide, states } = opened
  const { id } = agent
  const { approvalId } = await approvalOf(stake())
  await ann.writePolicy({ id, rules: [ALL], revision: 1 })
  const { intentId } = await stake(approvalId)
  const [used] = (await ann.listApprovals({ id })).data
  assert.deepEqual([used?.state, used?.intentId, used?.decidedBy], ['used', intentId, null])
  await assert.rejects(stake(approvalId), { code: 'forbidden', message: /used already/ })
  await assert.rejects(decide(approvalId, 'approve'), { code: 'invalid_input' })
  await stake()
  await ann.writePolicy({ id, rules: [ALL, ABOVE_FIVE], revision: 2 })
  const again = await approvalOf(stake())
  assert.notEqual(again.approvalId, approvalId)
  assert.deepEqual(await states(), ['waiting', 'used'])
})

test('202: an approval keeps waiting while the replaced policy that requires it is still in force', async () => {
  await using opened = await openWithApprovals()
  const { app, ann, agent, stake } = opened
  const { id } = agent
  await ann.writePolicy({ id, rules: [ALL, ABOVE_FIVE], loosenAfterSeconds: 8, revision: 1 })
  const { approvalId } = await approvalOf(stake())
  await ann.writePolicy({ id, rules: [ALL], revision: 2 })
  assert.equal((await approvalOf(stake(approvalId))).approvalId, approvalId)
  app.clock.advance(8_000)
  await stake(approvalId)
})

test('403 or 400: a refused approval, or one of another wish, builds nothing even if no rule needs it', async () => {
  await using opened = await openWithApprovals()
  const { ann, agent, key, wish, stake, decide } = opened
  const refused = await approvalOf(stake())
  await decide(refused.approvalId, 'refuse')
  const { approvalId } = await approvalOf(key.buildStake({ ...wish, amount: '6000000000' }))
  await ann.writePolicy({ id: agent.id, rules: [ALL], revision: 1 })
  await assert.rejects(stake(refused.approvalId), { code: 'forbidden', message: /refused/ })
  await assert.rejects(stake(approvalId), { code: 'invalid_input', message: /another transaction/ })
})
