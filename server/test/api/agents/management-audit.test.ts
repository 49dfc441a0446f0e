import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Reply } from '@stakewright/client'
import { sendRaw } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ROOT = 'root@example.com'
const openWithAdmin = () =>
  openTestApp({
    env: {
      ADMIN_EMAILS: ROOT,
      LIMIT_REGISTER_IP_HOUR: '20',
      LIMIT_REGISTER_IP_DAY: '20',
      LIMIT_IP_RPM: '500',
    },
  })

/** An agent of Ann with a history: she rotates it, an admin suspends, resumes and limits it, she revokes it. */
async function agentWithHistory(app: TestApp) {
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const admin = app.client({ token: await signIn(app, ROOT) })
  const step = async (work: Promise<unknown>) => {
    await work
    app.clock.advance(1_000)
  }
  await step(app.client({ apiKey: agent.apiKey }).metadata())
  await step(ann.rotateKey({ id: agent.id }))
  await step(admin.updateAgent({ id: agent.id, status: 'suspended' }))
  await step(admin.updateAgent({ id: agent.id, status: 'active', rateLimits: { rpm: 7, rpd: 70 } }))
  await step(ann.revokeAgent({ id: agent.id }))
  return { agent, ann, admin }
}

const EXPECTED = [
  ['revoke', 'user', 'user', 'DELETE /api/v1/agents/{id}'],
  ['set-limits', 'user', 'admin', 'PATCH /api/v1/agents/{id}'],
  ['resume', 'user', 'admin', 'PATCH /api/v1/agents/{id}'],
  ['suspend', 'user', 'admin', 'PATCH /api/v1/agents/{id}'],
  ['rotate', 'user', 'user', 'POST /api/v1/agents/{id}/rotate'],
  ['activate', 'anybody', null, 'GET /api/v1/agents/verify'],
  ['self-register', 'anybody', null, 'POST /api/v1/agents/self-register'],
] as const

const summary = (entries: Reply<'listActions'>['data']) =>
  entries
    .filter(({ action }) => action !== null)
    .map(({ action, actor, endpoint }) => [action, actor.kind, actor.role, endpoint])

test('200: the owner sees every action on the agent beside its requests: who, what, when and from where', async () => {
  await using app = await openWithAdmin()
  const { agent, ann } = await agentWithHistory(app)
  const { data } = await ann.agentAudit({ id: agent.id })
  assert.deepEqual(summary(data), EXPECTED)
  const [request] = data.filter(({ action }) => action === null)
  assert.equal(request?.endpoint, 'GET /api/v1/staking/agent/metadata')
  assert.deepEqual(request?.actor, { kind: 'agent', id: agent.id, role: null, session: null, key: null })
  const moments = data.map(({ at }) => Date.parse(at))
  assert.deepEqual(
    moments,
    moments.toSorted((a, b) => b - a),
  )
  for (const { action, target, ip } of data) {
    assert.equal(target, action === null ? null : agent.id)
    assert.equal(ip, '127.0.0.0')
  }
})

test('200: the owner sees their own id, and of admins only the role; an admin sees all ids', async () => {
  await using app = await openWithAdmin()
  const { agent, ann, admin } = await agentWithHistory(app)
  const idsFor = async (client: Client) => {
    const { data } = await client.agentAudit({ id: agent.id })
    return new Set(
      data.flatMap(({ action, actor }) =>
        action === null || actor.kind === 'anybody' ? [] : [`${actor.role} ${actor.id}`],
      ),
    )
  }
  assert.deepEqual(await idsFor(ann), new Set([`user stakewright/${ANN}`, 'admin null']))
  assert.deepEqual(await idsFor(admin), new Set([`user stakewright/${ANN}`, `admin stakewright/${ROOT}`]))
})

test('200: pages of requests and actions together have no overlap and no gap', async () => {
  await using app = await openWithAdmin()
  const { agent, ann } = await agentWithHistory(app)
  const whole = (await ann.agentAudit({ id: agent.id })).data
  for (const limit of [1, 2, 3]) {
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await ann.agentAudit({ id: agent.id, limit, ...(cursor && { cursor }) })
      assert(page.data.length <= limit)
      seen.push(...page.data)
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    assert.deepEqual(seen, whole)
  }
  for (const cursor of ['x', '1', '1.', '.1', '-1.1', '1.1.1'])
    await assert.rejects(ann.agentAudit({ id: agent.id, cursor }), { code: 'invalid_input' }, cursor)
})

test('200: an admin reads the actions of everybody, filtered and paged', async () => {
  await using app = await openWithAdmin()
  const { agent, admin } = await agentWithHistory(app)
  const other = await admin.registerAgent({ agentName: 'other', email: 'bob@example.com', tier: 'pro' })
  const promoted = await admin.registerAgent({
    agentName: 'more',
    tier: 'enterprise',
    replaces: other.data.id,
  })
  const all = (await admin.listActions({})).data
  assert.equal(all.length, 12)
  const actionsOf = async (query: Parameters<Client['listActions']>[0]) =>
    (await admin.listActions(query)).data.map(({ action }) => action)
  assert.deepEqual(await actionsOf({ agentId: other.data.id }), ['replace', 'register'])
  assert.deepEqual(await actionsOf({ agentId: promoted.data.id }), ['register'])
  assert.deepEqual(await actionsOf({ actor: `stakewright/${ANN}` }), ['revoke', 'rotate', 'sign-in'])
  assert.deepEqual(await actionsOf({ actor: 'anybody' }), ['activate', 'self-register'])
  assert.deepEqual(await actionsOf({ actor: 'agent' }), [])
  assert.equal((await actionsOf({ actor: 'user' })).length, 10)
  assert.deepEqual(await actionsOf({ action: 'suspend' }), ['suspend'])
  const suspended = all.find(({ action }) => action === 'suspend')?.at ?? ''
  assert.deepEqual(await actionsOf({ agentId: agent.id, to: suspended }), [
    'rotate',
    'activate',
    'self-register',
  ])
  assert.equal((await actionsOf({ from: suspended })).length, 7)
  const first = await admin.listActions({ limit: 7 })
  const rest = await admin.listActions({ limit: 7, cursor: first.nextCursor ?? '' })
  assert.deepEqual([...first.data, ...rest.data], all)
  assert.equal(rest.nextCursor, null)
})

test('200: with Accept: application/x-ndjson an admin gets one line per action, at most `limit` of them', async () => {
  await using app = await openWithAdmin()
  const { admin } = await agentWithHistory(app)
  const token = await signIn(app, ROOT)
  const linesOf = async (query: string) => {
    const { status, headers, text } = await sendRaw(app.url, `GET /api/v1/audit${query}`, {
      headers: ['Authorization', `Bearer ${token}`, 'Accept', 'application/x-ndjson'],
    })
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson'])
    const lines = text.trimEnd().split('\n')
    return { entries: lines.map((line) => JSON.parse(line)), next: headers['x-next-cursor'] }
  }
  const all = (await admin.listActions({})).data
  assert.deepEqual(await linesOf(''), { entries: all, next: undefined })
  const first = await linesOf('?limit=2')
  const second = await linesOf(`?limit=2&cursor=${first.next}`)
  assert.deepEqual([...first.entries, ...second.entries], all.slice(0, 4))
  for (const accept of ['application/x-ndjson;q=0', 'application/x-ndjson-foo']) {
    const json = await sendRaw(app.url, 'GET /api/v1/audit', {
      headers: ['Authorization', `Bearer ${token}`, 'Accept', accept],
    })
    assert.match(String(json.headers['content-type']), /^application\/json/, accept)
  }
})

test('403, 404: users read the log of their own agents only', async () => {
  await using app = await openWithAdmin()
  const { agent, ann } = await agentWithHistory(app)
  await assert.rejects(ann.listActions({}), { code: 'forbidden' })
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  await assert.rejects(bob.agentAudit({ id: agent.id }), { code: 'not_found' })
})

test('an action that changes nothing is not recorded, and one that does is recorded once', async () => {
  await using app = await openWithAdmin()
  const { agent, ann, admin } = await agentWithHistory(app)
  const before = (await admin.listActions({})).data
  await ann.revokeAgent({ id: agent.id })
  await assert.rejects(ann.rotateKey({ id: agent.id }))
  await assert.rejects(admin.updateAgent({ id: agent.id, status: 'active' }))
  await assert.rejects(ann.revokeAgent({ id: 'agt_unknown' }))
  assert.deepEqual((await admin.listActions({})).data, before)
})

test('self-revocations and reports of leaked keys are in the log, too', async () => {
  await using app = await openWithAdmin()
  const [one, two] = [await registerAgent(app, { email: ANN }), await registerAgent(app, { email: ANN })]
  await app.client({ apiKey: one.apiKey }).revokeSelf()
  await app.client().reportLeak({ apiKey: two.apiKey })
  const ann = app.client({ token: await signIn(app, ANN) })
  const actorsOf = async (id: string) =>
    (await ann.agentAudit({ id })).data.flatMap(({ action, actor }) =>
      action === 'revoke-self' || action === 'report-leak' ? [[action, actor]] : [],
    )
  assert.deepEqual(await actorsOf(one.id), [
    ['revoke-self', { kind: 'agent', id: one.id, role: null, session: null, key: null }],
  ])
  assert.deepEqual(await actorsOf(two.id), [
    ['report-leak', { kind: 'anybody', id: null, role: null, session: null, key: null }],
  ])
})

test('the owner gets a mail on rotation, suspension, resumption, revocation and promotion, without a name that could be a link', async () => {
  await using app = await openWithAdmin()
  const { agent, admin } = await agentWithHistory(app)
  const plain = await registerAgent(app, { email: ANN, agentName: 'stranger.example' })
  await admin.updateAgent({ id: plain.id, rateLimits: { rpm: 0, rpd: 0 } })
  const { data } = await admin.registerAgent({ agentName: 'x', tier: 'pro', replaces: plain.id })
  await app.runJob('deliver-mail')
  const mails = (await readMails(app.folder)).filter(({ to }) => to === ANN)
  const subjects = mails.map(({ raw }) => /^Subject: (.+)$/m.exec(raw)?.[1]?.trim() ?? '')
  assert.deepEqual(
    subjects.filter((subject) => /^A Stakewright/.test(subject)),
    [
      'A Stakewright API key was replaced',
      'A Stakewright agent was suspended',
      'A Stakewright agent was resumed',
      'A Stakewright agent was revoked',
      'A Stakewright agent has other limits',
      'A Stakewright agent has another tier',
    ],
  )
  const texts = mails.map(({ raw }) => raw.replaceAll(/=\r?\n/g, '')).join()
  assert(texts.includes(agent.id) && texts.includes(plain.id) && texts.includes(data.id))
  assert(!texts.includes('stranger.example') && !texts.includes(ROOT))
})
