import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/durations.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ADMIN = 'root@example.com'
const env = { ADMIN_EMAILS: ADMIN }

async function registerMany(app: TestApp, token: string, names: readonly string[]): Promise<void> {
  for (const agentName of names) await app.client({ token }).registerAgent({ agentName })
}

test("200: a user's agents with their states and times, and never a key", async () => {
  await using app = await openTestApp()
  const { id, apiKey } = await registerAgent(app, { email: ANN, agentName: 'scout' })
  app.clock.advance(5_000)
  await app.client({ apiKey }).metadata()
  const client = app.client({ token: await signIn(app, ANN) })
  const { data, nextCursor } = await client.listAgents()
  const createdAt = new Date(app.clock.now() - 5_000).toISOString()
  assert.deepEqual(data, [
    {
      id,
      agentName: 'scout',
      owner: ANN,
      agentType: 'other',
      identityTier: 'email_verified',
      tier: 'free',
      status: 'active',
      keyPrefix: apiKey.slice(0, 12),
      previousKey: null,
      rateLimits: { rpm: 10, rpd: 100 },
      used: { rpm: 1, rpd: 1 },
      requestsPerDay: [...Array<number>(29).fill(0), 1],
      policy: null,
      permissions: ['read'],
      createdAt,
      verifiedAt: createdAt,
      lastUsedAt: new Date(app.clock.now()).toISOString(),
      rotatedAt: null,
      revokedAt: null,
    },
  ])
  assert.equal(nextCursor, null)
  assert.equal(client.last?.rateLimit?.limitMinute, 100)
  assert.equal(client.last?.rateLimit?.limitDay, 10_000)
})

test("200: each agent's use by day, and its policy", async () => {
  await using app = await openTestApp()
  const { id, apiKey } = await registerAgent(app, { email: ANN, agentName: 'scout' })
  await registerAgent(app, { email: ANN, agentName: 'idle' })
  const agent = app.client({ apiKey })
  await agent.usage()
  await agent.usage()
  app.clock.advance(2 * DAY_MS)
  await agent.usage()
  let client = app.client({ token: await signIn(app, ANN) })
  const rules = [
    { rule: 'actions' as const, allow: ['stake' as const] },
    { rule: 'maxPerWindow' as const, amount: '5', window: 'hour' as const },
    { rule: 'maxPerWindow' as const, amount: '9', window: 'day' as const },
  ]
  const paused = [...rules, { rule: 'paused' as const }]
  await client.writePolicy({ id, rules: paused, loosenAfterSeconds: 60 })
  const scoutNow = async () => {
    const { data } = await client.listAgents()
    const listed = data.find(({ agentName }) => agentName === 'scout')
    assert.deepEqual((await client.readAgent({ id })).data, listed)
    return listed
  }
  const first = await scoutNow()
  assert.deepEqual(first?.used, { rpm: 1, rpd: 1 })
  assert.deepEqual(first?.requestsPerDay, [...Array<number>(27).fill(0), 2, 0, 1])
  assert.deepEqual(first?.policy, { revision: 1, paused: true, rules: ['actions', 'maxPerWindow', 'paused'] })
  await client.writePolicy({ id, rules, revision: 1 })
  const held = { revision: 2, rules: ['actions', 'maxPerWindow'] }
  assert.deepEqual((await scoutNow())?.policy, { ...held, paused: true }, 'a looser rule takes effect later')
  app.clock.advance(61_000)
  const last = await scoutNow()
  assert.deepEqual(last?.policy, { ...held, paused: false })
  assert.deepEqual(last?.used, { rpm: 0, rpd: 1 }, 'the minute is over')
  app.clock.advance(DAY_MS)
  client = app.client({ token: await signIn(app, ANN) })
  const tomorrow = await scoutNow()
  assert.deepEqual(tomorrow?.used, { rpm: 0, rpd: 0 })
  assert.deepEqual(tomorrow?.requestsPerDay, [...Array<number>(26).fill(0), 2, 0, 1, 0])
  const idle = (await client.listAgents()).data.find(({ agentName }) => agentName === 'idle')
  assert.deepEqual([idle?.policy, idle?.used], [null, { rpm: 0, rpd: 0 }])
})

test('200: the states of a pending, an expired and a revoked agent', async () => {
  await using app = await openTestApp()
  await registerAgent(app, { email: ANN, agentName: 'expired', isVerified: false })
  app.clock.advance(86_400_000)
  await registerAgent(app, { email: ANN, agentName: 'waiting', isVerified: false })
  const client = app.client({ token: await signIn(app, ANN) })
  const { data: registered } = await client.registerAgent({ agentName: 'gone' })
  await client.revokeAgent({ id: registered.id })
  const { data } = await client.listAgents()
  assert.deepEqual(
    data.map(({ agentName, status }) => [agentName, status]),
    [
      ['gone', 'revoked'],
      ['waiting', 'pending_verification'],
      ['expired', 'expired'],
    ],
  )
})

test('200: pages are newest first, without repetition or gap', async () => {
  await using app = await openTestApp()
  const token = await signIn(app, ANN)
  const names = ['a', 'b', 'c', 'd', 'e']
  await registerMany(app, token, names)
  assert.deepEqual(await namesByPages(app, token), names.toReversed())
})

test('200: agents that strangers register with the owner’s address come after all verified ones', async () => {
  await using app = await openTestApp()
  const token = await signIn(app, ANN)
  await registerMany(app, token, ['a', 'b', 'c'])
  for (const agentName of ['x', 'y', 'z'])
    await registerAgent(app, { email: ANN, agentName, isVerified: false })
  await registerMany(app, token, ['d'])
  assert.deepEqual(await namesByPages(app, token), ['d', 'c', 'b', 'a', 'z', 'y', 'x'])
})

/** Reads the list two by two. */
async function namesByPages(app: TestApp, token: string): Promise<readonly string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await app.client({ token }).listAgents({ limit: 2, ...(cursor && { cursor }) })
    assert(page.data.length <= 2)
    seen.push(...page.data.map(({ agentName }) => agentName))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return seen
}

test('200: an agent that registers between two pages shifts none of them', async () => {
  await using app = await openTestApp()
  const token = await signIn(app, ANN)
  await registerMany(app, token, ['a', 'b', 'c'])
  const first = await app.client({ token }).listAgents({ limit: 2 })
  await registerMany(app, token, ['d'])
  const second = await app.client({ token }).listAgents({ limit: 2, cursor: first.nextCursor ?? '' })
  assert.deepEqual(
    second.data.map(({ agentName }) => agentName),
    ['a'],
  )
})

test('200: other users do not see an agent; an admin sees all agents with `all`, otherwise only their own', async () => {
  await using app = await openTestApp({ env })
  const { id } = await registerAgent(app, { email: ANN })
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  assert.deepEqual((await bob.listAgents()).data, [])
  const admin = app.client({ token: await signIn(app, ADMIN) })
  assert.deepEqual((await admin.listAgents()).data, [])
  assert.deepEqual(
    (await admin.listAgents({ all: true })).data.map((agent) => agent.id),
    [id],
  )
})

test('400: a cursor that is not from this list, a page size out of range, an invalid boolean', async () => {
  await using app = await openTestApp()
  const { id } = await registerAgent(app, { email: ANN })
  const token = await signIn(app, 'bob@example.com')
  const headers = { authorization: `Bearer ${token}` }
  for (const query of [
    `cursor=${id}`,
    'cursor=x',
    'limit=0',
    'limit=101',
    'limit=1e1',
    'all=1',
    'all=TRUE',
  ]) {
    const { status } = await fetch(`${app.url}/api/v1/agents?${query}`, { headers })
    assert.equal(status, 400, query)
  }
})

test('401: without a user’s token', async () => {
  await using app = await openTestApp()
  await assert.rejects(app.client().listAgents(), { code: 'unauthorized', message: /auth\/code/ })
})

test('403: only an admin may list all agents', async () => {
  await using app = await openTestApp({ env })
  const token = await signIn(app, ANN)
  await assert.rejects(app.client({ token }).listAgents({ all: true }), { code: 'forbidden' })
})

test('200: a filtered list, and a single agent', async () => {
  await using app = await openTestApp({ env })
  const token = await signIn(app, ANN)
  await registerMany(app, token, ['scout', 'visitor', 'Scouting'])
  const client = app.client({ token })
  const names = async (query: Parameters<typeof client.listAgents>[0]) =>
    (await client.listAgents(query)).data.map(({ agentName }) => agentName)
  assert.deepEqual(await names({ search: 'sCOUT' }), ['Scouting', 'scout'])
  assert.deepEqual(await names({ exceptName: 'visitor', status: 'active' }), ['Scouting', 'scout'])
  assert.deepEqual(await names({ status: 'revoked' }), [])
  const [first] = (await client.listAgents()).data
  assert(first)
  assert.deepEqual((await client.readAgent({ id: first.id })).data, first)
  const admin = app.client({ token: await signIn(app, ADMIN) })
  assert.equal((await admin.readAgent({ id: first.id })).data.owner, ANN)
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  await assert.rejects(bob.readAgent({ id: first.id }), { code: 'not_found' })
})
