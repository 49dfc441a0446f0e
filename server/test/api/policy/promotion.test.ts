import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { brokenRules } from '../refused.ts'
import { ABOVE_FIVE, ALL, approvalOf, openWithApprovals } from './with-approvals.ts'

const ROOT = 'root@example.com'
const DAY_SECONDS = 86_400

type Opened = Awaited<ReturnType<typeof openWithApprovals>>

/** Replaces the agent by one in another tier, as an admin. */
async function promote({ app, agent }: Opened) {
  const admin = app.client({ token: await signIn(app, ROOT) })
  const { data } = await admin.registerAgent({ agentName: 'kept', tier: 'pro', replaces: agent.id })
  return { id: data.id, key: app.client({ apiKey: data.apiKey }) }
}

test('403: a promoted agent stays paused, even while a looser policy waits to take effect', async () => {
  await using opened = await openWithApprovals()
  const { ann, agent, stake, wish } = opened
  const paused = [ALL, { rule: 'paused' }] as const
  await ann.writePolicy({ id: agent.id, rules: paused, loosenAfterSeconds: DAY_SECONDS, revision: 1 })
  await ann.writePolicy({ id: agent.id, rules: [ALL], revision: 2 })
  assert.deepEqual(await brokenRules(stake()), ['paused'])
  const before = await ann.readPolicy({ id: agent.id })
  const history = await ann.policyRevisions({ id: agent.id })
  const { id, key } = await promote(opened)
  assert.deepEqual(await brokenRules(key.buildStake(wish)), ['paused'])
  assert.deepEqual(await ann.readPolicy({ id }), before)
  assert.deepEqual(await ann.policyRevisions({ id }), history)
  assert.deepEqual(
    await ann.policyRevisions({ id: agent.id }),
    history,
    'the history of the replaced agent stays',
  )
  const { data } = await ann.writePolicy({ id, rules: [ALL], revision: 3 })
  assert.equal(data?.revision, 4)
})

test('200: after a promotion builds go on counting and can be released, and an approval builds once', async () => {
  const amount = '6500000000'
  await using opened = await openWithApprovals([
    { rule: 'maxPerWindow', amount: '16000000000', window: 'day' },
  ])
  const { ann, agent, key, wish, decide } = opened
  const small = { ...wish, amount: '5000000000' }
  const first = await key.buildStake(small)
  await key.buildStake(small)
  const approved = await approvalOf(key.buildStake({ ...wish, amount: '5000000001' }))
  await decide(approved.approvalId, 'approve')
  await key.releaseReservation({ intentId: first.intentId })
  const waiting = await approvalOf(key.buildStake({ ...wish, amount }))
  const third = await key.buildStake(small)
  const successor = await promote(opened)
  const next = successor.key
  assert.deepEqual(await brokenRules(next.buildStake({ ...wish, amount })), ['maxPerWindow'])
  await next.releaseReservation({ intentId: third.intentId })
  assert.deepEqual(
    await approvalOf(next.buildStake({ ...wish, amount })),
    waiting,
    'it is the one that waits',
  )
  const { data } = await ann.waitingApprovals()
  assert.deepEqual(
    data.map(({ approvalId, agentId }) => [approvalId, agentId]),
    [[waiting.approvalId, successor.id]],
  )
  const { approvalId } = approved
  await next.buildStake({ ...wish, amount: '5000000001', approvalId })
  await assert.rejects(next.buildStake({ ...wish, amount: '5000000001', approvalId }), { code: 'forbidden' })
  const states = (await ann.listApprovals({ id: successor.id })).data.map(({ state }) => state)
  assert.deepEqual(states, ['waiting', 'used'])
  assert.deepEqual((await ann.listApprovals({ id: agent.id })).data, [])
})

test('200: a repeat of a build with an idempotency key after the promotion is the same transaction, and counts once', async () => {
  await using opened = await openWithApprovals([
    { rule: 'maxPerWindow', amount: '10000000000', window: 'day' },
  ])
  const { key, wish } = opened
  const small = { ...wish, amount: ABOVE_FIVE.amount }
  const once = { idempotencyKey: 'order-7' }
  const first = await key.buildStake(small, once)
  const successor = (await promote(opened)).key
  assert.deepEqual(await successor.buildStake(small, once), first)
  assert.equal(successor.last?.headers.get('idempotent-replayed'), 'true')
  await assert.rejects(successor.buildStake({ ...small, amount: '4999999999' }, once), {
    code: 'invalid_input',
    message: /other input/,
  })
  await successor.buildStake(small)
  assert.deepEqual(await brokenRules(successor.buildStake(small)), ['maxPerWindow'])
  await successor.releaseReservation({ intentId: first.intentId })
  await assert.rejects(successor.buildStake(small, once), { code: 'invalid_input', message: /was released/ })
})

test('404: the link of an approval from before the promotion leads its owner to the new agent', async () => {
  await using opened = await openWithApprovals()
  const { app, ann, agent, stake, decide } = opened
  const { approvalId } = await approvalOf(stake())
  const old = { id: agent.id, approvalId }
  assert.equal((await ann.readApproval(old)).data.state, 'waiting')
  const { id } = await promote(opened)
  const moved = {
    code: 'not_found',
    message: new RegExp(`passed to another agent.* ${id}`),
    next: { method: 'GET', path: `/api/v1/agents/${id}/approvals/${approvalId}` },
  }
  await assert.rejects(ann.readApproval(old), moved)
  await assert.rejects(decide(approvalId, 'approve'), moved)
  await ann.decideApproval({ id, approvalId, decision: 'approve' })
  const other = await registerAgent(app, { email: 'eve@example.com' })
  const eve = app.client({ token: await signIn(app, 'eve@example.com') })
  await assert.rejects(eve.readApproval({ id: other.id, approvalId }), (error) => {
    assert(error instanceof StakewrightError && error.code === 'not_found')
    return !JSON.stringify([error.message, error.fix, error.next]).includes(id)
  })
})

test('200: an agent without a policy is promoted to one without', async () => {
  await using opened = await openWithApprovals()
  const { app, wish } = opened
  const admin = app.client({ token: await signIn(app, ROOT) })
  const { data } = await admin.registerAgent({ agentName: 'free', tier: 'builder' })
  const { key } = await promote({ ...opened, agent: data })
  assert.equal((await key.ownPolicy()).policy, null)
  await key.buildStake(wish)
})

test('403: builds during a promotion stay within the window', async () => {
  await using opened = await openWithApprovals([
    { rule: 'maxPerWindow', amount: '15000000000', window: 'day' },
  ])
  const { key, wish } = opened
  const small = { ...wish, amount: ABOVE_FIVE.amount }
  const builds = Array.from({ length: 6 }, () => key.buildStake(small))
  const [answers, successor] = await Promise.all([Promise.allSettled(builds), promote(opened)])
  const later = await Promise.allSettled(Array.from({ length: 4 }, () => successor.key.buildStake(small)))
  const built = [...answers, ...later].filter(({ status }) => status === 'fulfilled')
  assert.equal(built.length, 3)
})
