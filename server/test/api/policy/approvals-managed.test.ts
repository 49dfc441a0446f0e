import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/durations.ts'
import { ME, stakeInSandbox, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { newestMail } from '../../support/services/mail-files.ts'
import { ALL, ANN, approvalOf, openWithApprovals } from './with-approvals.ts'

const BOB = 'bob@example.com'
const ROOT = 'root@example.com'
const MAX_WAITING = 50

type Opened = Awaited<ReturnType<typeof openWithApprovals>>

async function adminOf({ app, agent }: Opened) {
  const admin = app.client({ token: await signIn(app, ROOT) })
  await admin.updateAgent({ id: agent.id, rateLimits: { rpm: 1_000, rpd: 10_000 } })
  return admin
}

test('403: of simultaneous wishes fifty wait for approval, and another one may once one is decided', async () => {
  await using opened = await openWithApprovals()
  const { ann, agent, key, wish, decide } = opened
  await adminOf(opened)
  const ask = (more: number) => key.buildStake({ ...wish, amount: String(BigInt(TEN) + BigInt(more)) })
  const asked = await Promise.allSettled(Array.from({ length: MAX_WAITING + 6 }, (_, at) => ask(at)))
  const codes = asked.map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'built'))
  assert.equal(codes.filter((code) => code === 'approval_needed').length, MAX_WAITING)
  assert.equal(codes.filter((code) => code === 'forbidden').length, 6)
  const waits = codes.indexOf('approval_needed')
  const refused = codes.indexOf('forbidden')
  const { approvalId } = await approvalOf(ask(waits))
  await assert.rejects(ask(refused), { code: 'forbidden', message: /50 transactions .* wait/ })
  await decide(approvalId, 'refuse')
  await approvalOf(ask(refused))
  await assert.rejects(ask(waits), { code: 'forbidden' })
  const { data } = await ann.listApprovals({ id: agent.id, limit: 100 })
  assert.equal(data.filter(({ state }) => state === 'waiting').length, MAX_WAITING)
})

test('200: an admin can decide, too, and the owner sees that; for other users the approval does not exist', async () => {
  await using opened = await openWithApprovals()
  const { app, ann, agent, stake } = opened
  const admin = await adminOf(opened)
  const { approvalId } = await approvalOf(stake())
  await registerAgent(app, { email: BOB })
  const bob = app.client({ token: await signIn(app, BOB) })
  await assert.rejects(bob.listApprovals({ id: agent.id }), { code: 'not_found' })
  const decision = { id: agent.id, approvalId, decision: 'approve' } as const
  await assert.rejects(bob.decideApproval(decision), { code: 'not_found' })
  assert.equal((await admin.listApprovals({ id: agent.id })).data[0]?.state, 'waiting')
  assert.equal((await admin.decideApproval(decision)).data.state, 'approved')
  const [seen] = (await ann.listApprovals({ id: agent.id })).data
  assert.deepEqual([seen?.state, seen?.decidedBy?.role], ['approved', 'admin'])
  await app.runJob('deliver-mail')
  const { raw } = await newestMail(app.folder, ANN)
  assert.match(raw.replaceAll('=\r\n', ''), /was approved by an admin/)
  await stake(approvalId)
  assert.equal((await ann.listApprovals({ id: agent.id })).data[0]?.state, 'used')
})

test('200: unstaking and withdrawing wait, too; if one has become the other meanwhile, it is another wish', async () => {
  await using opened = await openWithApprovals()
  const { app, ann, agent, key, wish, decide } = opened
  await adminOf(opened)
  const setRules = (revision: number, above: readonly ('unstake' | 'withdraw')[]) =>
    ann.writePolicy({
      id: agent.id,
      rules: [ALL, { rule: 'approvalAbove', amount: '5000000000', actions: above }],
      revision,
    })
  await setRules(1, ['unstake', 'withdraw'])
  const { stakedTokenId } = await stakeInSandbox(key, wish.validatorId)
  const token = { stakedTokenId, sender: ME }
  // Not active yet: it is paid out at once.
  const asWithdrawal = await approvalOf(key.buildUnstake(token))
  await decide(asWithdrawal.approvalId, 'approve')
  await key.sandboxAdvance({ epochs: 1 })
  await app.runJob('watch-network')
  const late = key.buildUnstake({ ...token, approvalId: asWithdrawal.approvalId })
  await assert.rejects(late, { code: 'invalid_input', message: /another transaction/ })
  const { approvalId } = await approvalOf(key.buildUnstake(token))
  const waiting = (await ann.listApprovals({ id: agent.id })).data.find(({ state }) => state === 'waiting')
  assert.deepEqual(waiting?.items, [
    { action: 'unstake', validatorId: wish.validatorId, amount: TEN, stakedTokenId },
  ])
  await decide(approvalId, 'approve')
  const half = key.buildUnstake({ ...token, amount: '6000000000', approvalId })
  await assert.rejects(half, { code: 'invalid_input' }, 'a part is another wish')
  const { commands } = await key.buildUnstake({ ...token, approvalId })
  assert.equal((await key.sandboxExecute({ sender: ME, commands })).status, 'done')
  await key.sandboxAdvance({ epochs: 1 })
  await app.runJob('watch-network')
  const last = await approvalOf(key.buildWithdraw(token))
  await decide(last.approvalId, 'approve')
  await key.buildWithdraw({ ...token, approvalId: last.approvalId })
  await assert.rejects(key.buildWithdraw({ ...token, approvalId: last.approvalId }), { code: 'forbidden' })
})

test('403: approvals dated by a clock that ran ahead can be neither decided nor used once it is right', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, stake } = opened
  app.clock.advance(2 * DAY_MS)
  await app.runJob('watch-network')
  const ahead = app.client({ token: await signIn(app, ANN) })
  const { approvalId } = await approvalOf(stake())
  const decision = { id: agent.id, approvalId, decision: 'approve' } as const
  await ahead.decideApproval(decision)
  app.clock.advance(-2 * DAY_MS)
  await app.runJob('watch-network')
  const admin = app.client({ token: await signIn(app, ROOT) })
  assert.equal((await admin.listApprovals({ id: agent.id })).data[0]?.state, 'expired')
  assert.deepEqual((await admin.waitingApprovals({ all: true })).data, [])
  const expired = await admin.waitingApprovals({ all: true, state: 'expired' })
  assert.deepEqual(
    expired.data.map((one) => one.approvalId),
    [approvalId],
  )
  await assert.rejects(stake(approvalId), { code: 'forbidden', message: /expired/ })
  await assert.rejects(admin.decideApproval({ ...decision, decision: 'refuse' }), { code: 'invalid_input' })
  assert.notEqual((await approvalOf(stake())).approvalId, approvalId)
})

test('approvals of all agents of a user are listed by state, each under one, in pages; admins see those of all users', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, key, wish, stake } = opened
  const other = (await ann.registerAgent({ agentName: 'second' })).data
  await ann.writePolicy({ id: other.id, rules: [ALL, { rule: 'approvalAbove', amount: '5000000000' }] })
  const ask = async (client: typeof key, more: bigint) =>
    (await approvalOf(client.buildStake({ ...wish, amount: String(BigInt(TEN) + more) }))).approvalId
  const expired = await ask(key, 1n)
  app.clock.advance(DAY_MS)
  await app.runJob('watch-network')
  const asked: string[] = []
  for (const client of [key, key, app.client({ apiKey: other.apiKey }), key]) {
    asked.push(await ask(client, asked.length === 0 ? 0n : BigInt(asked.length + 1)))
    app.clock.advance(1_000)
  }
  const [used = '', refused = '', approved = '', waiting = ''] = asked
  const late = app.client({ token: await signIn(app, ANN) })
  await late.decideApproval({ id: agent.id, approvalId: used, decision: 'approve' })
  await stake(used)
  await late.decideApproval({ id: agent.id, approvalId: refused, decision: 'refuse' })
  await late.decideApproval({ id: other.id, approvalId: approved, decision: 'approve' })
  const admin = app.client({ token: await signIn(app, ROOT) })
  const byState = async (client: typeof ann, more: { readonly all?: true } = {}) => {
    const found: Record<string, readonly string[]> = {}
    for (const state of ['waiting', 'approved', 'refused', 'used', 'expired', 'decided'] as const) {
      const { data } = await client.waitingApprovals({ state, ...more })
      assert(data.every((one) => state === 'decided' || one.state === state))
      found[state] = data.map(({ approvalId }) => approvalId)
    }
    return found
  }
  const listed = {
    waiting: [waiting],
    approved: [approved],
    refused: [refused],
    used: [used],
    expired: [expired],
    decided: [approved, refused, used, expired],
  }
  assert.deepEqual(await byState(late), listed)
  assert.deepEqual(await byState(admin, { all: true }), listed)
  assert.deepEqual((await byState(admin))['decided'], [])
  await assert.rejects(late.waitingApprovals({ state: 'decided', all: true }), { code: 'forbidden' })
  const pages: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await late.waitingApprovals({ state: 'decided', limit: 3, ...(cursor && { cursor }) })
    pages.push(...page.data.map(({ approvalId }) => approvalId))
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(pages, listed.decided)
  // Undecided approvals of a revoked agent no longer wait, and the others can still be read.
  await late.revokeAgent({ id: agent.id })
  assert.deepEqual(await byState(late), { ...listed, waiting: [] })
})
