import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ApprovalNeeded } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/durations.ts'
import { connectMcp } from '../../mcp/mcp-client.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { newestMail, readMails } from '../../support/services/mail-files.ts'
import { ABOVE_FIVE, ALL, ANN, approvalOf, openWithApprovals } from './with-approvals.ts'

test('202: a build above the amount waits, the owner gets a mail, and once approved it is built once', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, key, wish, stake, decide } = opened
  const startedAt = app.clock.now()
  const { approvalId, expiresAt } = await approvalOf(stake())
  assert.equal(expiresAt, new Date(startedAt + DAY_MS).toISOString())
  assert.equal((await approvalOf(stake())).approvalId, approvalId, 'the same wish is asked for once')
  assert.equal((await approvalOf(stake(approvalId))).approvalId, approvalId)
  const { data } = await ann.listApprovals({ id: agent.id })
  const [waiting] = data
  assert(waiting && data.length === 1)
  const items = [
    { action: 'stake', validatorId: wish.validatorId, amount: TEN, stakedTokenId: null } as const,
  ]
  assert.deepEqual(
    [waiting.state, waiting.sender, waiting.items, waiting.amount, waiting.decidedBy],
    ['waiting', ME, items, TEN, null],
  )
  const canonical = `{"items":[{"action":"stake","amount":"${TEN}","stakedTokenId":null,"validatorId":"${wish.validatorId}"}],"network":"sandbox","sender":"${ME}"}`
  assert.equal(waiting.wishHash, createHash('sha256').update(canonical).digest('hex'))
  await app.runJob('deliver-mail')
  const mail = (await newestMail(app.folder, ANN)).raw.replaceAll('=\r\n', '')
  assert.match(mail, /asks for your approval/)
  assert(mail.includes(`${app.url}/approve/${agent.id}/${approvalId}`), mail)
  assert(mail.includes(`stake 10 SBX with validator ${wish.validatorId}; on sandbox, from ${ME}.`), mail)
  const reason = { rule: 'approvalAbove', revision: 1, limit: ABOVE_FIVE.amount, actual: TEN }
  assert.deepEqual(waiting.reason, reason)
  assert.deepEqual((await ann.readApproval({ id: agent.id, approvalId })).data, waiting)

  assert.equal((await decide(approvalId, 'approve')).data.state, 'approved')
  await decide(approvalId, 'approve')
  const { intentId } = await stake(approvalId)
  await assert.rejects(stake(approvalId), { code: 'forbidden', message: /used already/ })
  const [used] = (await ann.listApprovals({ id: agent.id })).data
  assert.deepEqual([used?.state, used?.intentId, used?.decidedBy?.role], ['used', intentId, 'user'])
  await assert.rejects(decide(approvalId, 'refuse'), { code: 'invalid_input' })
  const actions = (await ann.agentAudit({ id: agent.id })).data.flatMap(({ action }) => action ?? [])
  assert.deepEqual(
    actions.slice(0, -2),
    ['approve-transaction', 'set-policy'],
    'a repeat is not recorded again',
  )
  await key.buildStake({ ...wish, amount: ABOVE_FIVE.amount })
})

test('200: of simultaneous builds with one approval exactly one succeeds', async () => {
  await using opened = await openWithApprovals()
  const { stake, decide, states } = opened
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'approve')
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => stake(approvalId)))
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const answer of answers)
    if (answer.status === 'rejected') assert.equal(answer.reason.code, 'forbidden', String(answer.reason))
  assert.deepEqual(await states(), ['used'])
})

test('400: an approval is for exactly the same wish; a batch of one is the same, anything else is another', async () => {
  await using opened = await openWithApprovals()
  const { app, key, wish, other, stake, decide } = opened
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'approve')
  const others = [{ amount: '10000000001' }, { validatorId: other }, { sender: `0x${'b2'.repeat(32)}` }]
  for (const change of others)
    await assert.rejects(key.buildStake({ ...wish, ...change, approvalId }), {
      code: 'invalid_input',
      message: /another transaction/,
    })
  const item = { action: 'stake', validatorId: wish.validatorId, amount: TEN } as const
  await assert.rejects(key.buildBatch({ items: [item, item], sender: ME, approvalId }), {
    code: 'invalid_input',
  })
  await assert.rejects(stake('apr_unknown'), { code: 'not_found' })
  const stranger = await app.client().sandboxKey({ agentName: 'stranger' })
  await assert.rejects(
    app.client({ apiKey: stranger.data.apiKey }).buildStake({ ...wish, approvalId }),
    { code: 'not_found' },
    'approvals of others do not exist',
  )
  await key.buildBatch({ items: [item], sender: ME, approvalId })
})

test('403: nothing is built with a refused or expired approval, or if the policy forbids it by now', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, stake, decide, states } = opened
  const first = await approvalOf(stake())
  await decide(first.approvalId, 'approve')
  await decide(first.approvalId, 'refuse')
  await assert.rejects(stake(first.approvalId), { code: 'forbidden', message: /refused/ })
  await assert.rejects(decide(first.approvalId, 'approve'), { code: 'invalid_input' })
  const second = await approvalOf(stake())
  assert.notEqual(second.approvalId, first.approvalId)
  await decide(second.approvalId, 'approve')
  await ann.writePolicy({ id: agent.id, rules: [ALL, ABOVE_FIVE, { rule: 'paused' }], revision: 1 })
  await assert.rejects(stake(second.approvalId), { code: 'forbidden', message: /paused/ })
  await ann.writePolicy({ id: agent.id, rules: [ALL, ABOVE_FIVE], revision: 2 })
  assert.deepEqual(await states(), ['approved', 'refused'])
  app.clock.advance(DAY_MS)
  await app.runJob('watch-network')
  const late = app.client({ token: await signIn(app, ANN) })
  const [newest] = (await late.listApprovals({ id: agent.id, limit: 1 })).data
  assert.deepEqual([newest?.approvalId, newest?.state], [second.approvalId, 'expired'])
  await assert.rejects(stake(second.approvalId), { code: 'forbidden', message: /expired/ })
  await assert.rejects(
    late.decideApproval({ id: agent.id, approvalId: second.approvalId, decision: 'refuse' }),
    { code: 'invalid_input' },
  )
})

test('403: an approved transaction counts against the windows when it is built, and not before', async () => {
  await using opened = await openWithApprovals([{ rule: 'maxPerWindow', amount: TEN, window: 'hour' }])
  const { app, key, wish, stake, decide } = opened
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'approve')
  const small = () => key.buildStake({ ...wish, amount: '1000000000' })
  const { intentId } = await small()
  await assert.rejects(stake(approvalId), { code: 'forbidden', message: /maxPerWindow/ })
  await key.releaseReservation({ intentId })
  await stake(approvalId)
  await assert.rejects(small(), { code: 'forbidden' })
  app.clock.advance(HOUR_MS)
  await app.runJob('watch-network')
  await small()
})

test('200: however many approvals an agent asks for, its owner is told when the key is replaced', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, key, wish } = opened
  const more = BigInt(wish.amount)
  for (let asked = 0n; asked <= BigInt(LIMITS.noticeMailsPerDay); asked += 1n) {
    app.clock.advance(MINUTE_MS / 5)
    await app.runJob('watch-network')
    await approvalOf(key.buildStake({ ...wish, amount: String(more + asked) }))
  }
  await ann.rotateKey({ id: agent.id })
  await app.runJob('deliver-mail')
  const mails = await readMails(app.folder)
  assert(mails.some(({ to, raw }) => to === ANN && /^Subject: .*key was replaced/m.test(raw)))
})

test('200: a simulation says what needs approval; pages of approvals follow each other', async () => {
  await using opened = await openWithApprovals()
  const { agent, ann, key, wish, stake } = opened
  const simulate = (amount: string) =>
    key.simulatePolicy({ items: [{ action: 'stake', validatorId: wish.validatorId, amount }], sender: ME })
  assert.equal((await simulate(TEN)).needsApproval, true)
  assert.equal((await simulate(ABOVE_FIVE.amount)).needsApproval, false)
  const ids = [
    (await approvalOf(stake())).approvalId,
    (await approvalOf(key.buildStake({ ...wish, amount: '11000000000' }))).approvalId,
  ]
  const page = await ann.listApprovals({ id: agent.id, limit: 1 })
  const rest = await ann.listApprovals({ id: agent.id, limit: 1, cursor: page.nextCursor ?? '' })
  assert.deepEqual([rest.data[0]?.approvalId, page.data[0]?.approvalId], ids)
  assert.equal(rest.nextCursor, null)
})

test('200: waiting approvals of all own agents are listed in pages, until they are decided or expire', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, key, wish, decide } = opened
  const other = await registerAgent(app, { email: ANN, agentName: 'second' })
  await ann.writePolicy({ id: other.id, rules: [ALL, ABOVE_FIVE] })
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  const asked: string[] = []
  for (const client of [key, key, app.client({ apiKey: other.apiKey })]) {
    const amount = String(BigInt(TEN) + BigInt(asked.length))
    asked.push((await approvalOf(client.buildStake({ ...wish, amount }))).approvalId)
    app.clock.advance(1000)
  }
  const [first = '', second = '', third = ''] = asked
  const waiting = async () => (await ann.waitingApprovals()).data.map(({ approvalId }) => approvalId)
  assert.deepEqual(await waiting(), [third, second, first])
  const page = await ann.waitingApprovals({ limit: 1 })
  assert.deepEqual([page.data[0]?.agentId, page.data[0]?.agentName], [other.id, 'second'])
  await ann.decideApproval({ id: other.id, approvalId: third, decision: 'approve' })
  // A decision between two pages does not shift the second one.
  const next = await ann.waitingApprovals({ limit: 1, cursor: page.nextCursor ?? '' })
  assert.equal(next.data[0]?.approvalId, second)
  const cursor = next.nextCursor ?? ''
  const last = await ann.waitingApprovals({ limit: 1, cursor })
  assert.deepEqual([last.data[0]?.approvalId, last.nextCursor], [first, null])
  await decide(first, 'refuse')
  assert.deepEqual(await waiting(), [second])
  assert.deepEqual((await bob.waitingApprovals()).data, [])
  await assert.rejects(bob.waitingApprovals({ all: true }), { code: 'forbidden' })
  await assert.rejects(bob.waitingApprovals({ cursor }), { code: 'invalid_input' })
  await assert.rejects(bob.readApproval({ id: agent.id, approvalId: second }), { code: 'not_found' })
  app.clock.advance(DAY_MS)
  const late = app.client({ token: await signIn(app, ANN) })
  assert.deepEqual((await late.waitingApprovals()).data, [])
})

test('200: repeats of an approved build with an idempotency key are the same transaction', async () => {
  await using opened = await openWithApprovals()
  const { key, wish, decide, states } = opened
  const named = { idempotencyKey: 'first' }
  const { approvalId } = await approvalOf(key.buildStake(wish, named))
  await decide(approvalId, 'approve')
  const build = () => key.buildStake({ ...wish, approvalId }, named)
  const [first, ...rest] = await Promise.all([build(), build(), build()])
  for (const { intentId } of [...rest, await build()]) assert.equal(intentId, first.intentId)
  assert.deepEqual(await states(), ['used'])
})

test('a tool call that needs approval says who must decide until when, and names the next call', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, wish, other, decide } = opened
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': agent.apiKey })
  const stake = { action: 'stake', validatorId: other, amount: TEN } as const
  const builds = [
    ['build_stake', wish],
    ['build_batch', { items: [stake], sender: ME }],
  ] as const
  for (const [tool, given] of builds) {
    const { isError, text, data } = await mcp.call(tool, given)
    assert(!isError, text)
    const approvalId = String(data['approvalId'])
    assert.match(text, /Nothing was built yet: this moves 10000000000 .* the owner .* above 5000000000/)
    assert(text.includes(`${app.url}/approve/${agent.id}/${approvalId} before ${data['expiresAt']}`), text)
    const next = { tool, arguments: { ...given, approvalId } }
    assert.deepEqual(data['next'], next)
    await decide(approvalId, 'approve')
    const built = await mcp.call(next.tool, next.arguments)
    assert(Array.isArray(built.data['commands']), built.text)
  }
})

test('202: the answer has the call to make once it is approved', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, stake, decide, wish } = opened
  const error = await stake().catch((reason: unknown) => reason)
  assert(error instanceof ApprovalNeeded)
  const { next, approval } = error
  assert.deepEqual(next?.body, { ...wish, approvalId: approval.approvalId })
  await decide(approval.approvalId, 'approve')
  const json = next.body
  const headers = ['X-API-Key', agent.apiKey]
  assert.equal((await sendRaw(app.url, `${next.method} ${next.path}`, { json, headers })).status, 200)
})
