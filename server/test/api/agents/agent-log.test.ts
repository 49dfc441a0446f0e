import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Reply } from '@stakewright/client'
import { admitAgent, userToken } from '../../support/admitted-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

type Item = Reply<'agentAudit'>['data'][number]

/** Follows the cursors to the end. */
async function readAll(client: Client, id: string, limit: number): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await client.agentAudit({ id, limit, ...(cursor && { cursor }) })
    assert(page.data.length <= limit)
    items.push(...page.data)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

test("200 audit: an agent's own requests, newest first, in pages that miss none and repeat none", async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '10000' } })
  const { id, apiKey } = await admitAgent(app, { rateLimits: { rpm: 100, rpd: 100 } })
  const other = await admitAgent(app, { rateLimits: { rpm: 100, rpd: 100 } })
  const ann = app.client({ token: await userToken(app, 'ann@example.com') })
  const expected: [string, string, number][] = []
  for (let count = 0; count < 12; count += 1) {
    app.clock.advance(1_500)
    const at = new Date(app.clock.now()).toISOString()
    await Promise.all([
      app.client({ apiKey }).metadata(),
      app.client({ apiKey: other.apiKey }).usage(),
      app
        .client({ apiKey: 'stk_unknown' })
        .usage()
        .catch(() => {}),
    ])
    await app
      .client({ apiKey })
      .allocate({ amount: '-1' })
      .catch(() => {})
    expected.unshift(
      [at, 'POST /api/v1/staking/agent/allocate', 400],
      [at, 'GET /api/v1/staking/agent/metadata', 200],
    )
  }
  // The outcome of a request is logged with the next commit after it.
  await app.client().epoch()
  for (const limit of [1, 5, 100]) {
    const items = (await readAll(ann, id, limit)).filter(({ action }) => action === null)
    assert.deepEqual(
      items.map(({ at, endpoint, status }) => [at, endpoint, status]),
      expected,
    )
    assert(items.every(({ latencyMs, ip }) => latencyMs !== null && latencyMs > 0 && ip === '127.0.0.0'))
  }
})

test('400 audit: a cursor of another agent is refused', async () => {
  await using app = await openTestApp()
  const first = await admitAgent(app)
  const second = await admitAgent(app)
  for (const { apiKey } of [first, second])
    for (let count = 0; count < 3; count += 1) await app.client({ apiKey }).usage()
  const ann = app.client({ token: await userToken(app, 'ann@example.com') })
  const { nextCursor } = await ann.agentAudit({ id: second.id, limit: 1 })
  await assert.rejects(ann.agentAudit({ id: first.id, cursor: nextCursor ?? '' }), {
    code: 'invalid_input',
    message: /another list or other filters/,
  })
})

test("404 audit and profile: another owner's agent is answered exactly like a missing one", async () => {
  await using app = await openTestApp()
  const { id } = await admitAgent(app)
  const eve = app.client({ token: await userToken(app, 'eve@example.com') })
  for (const read of [eve.agentAudit, eve.agentProfile]) {
    const errors = await Promise.all(
      [id, 'agt_nobody'].map((wanted) => read({ id: wanted }).catch((error) => error)),
    )
    const [foreign, missing] = errors
    assert.deepEqual([foreign.status, foreign.code, foreign.message], [404, missing.code, missing.message])
  }
  const admin = app.client({ token: await userToken(app, 'admin@example.com', 'admin') })
  const { data } = await admin.agentAudit({ id })
  assert.deepEqual(
    data.map(({ action }) => action),
    ['register'],
  )
})

test('400 audit: a malformed cursor', async () => {
  await using app = await openTestApp()
  const { id } = await admitAgent(app)
  const ann = app.client({ token: await userToken(app, 'ann@example.com') })
  for (const cursor of ['x', '-1', '1', '1.', '1.5.2', `${'1'.repeat(17)}.1`])
    await assert.rejects(ann.agentAudit({ id, cursor }), { code: 'invalid_input', status: 400 }, cursor)
})

test('200 profile: the requests of the last thirty days, and nothing older', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '10000' } })
  const { id, apiKey } = await admitAgent(app, { agentName: 'scout', rateLimits: { rpm: 100, rpd: 100 } })
  const agent = app.client({ apiKey })
  const refused = () => {}
  const profile = async () => {
    const ann = app.client({ token: await userToken(app, 'ann@example.com') })
    return (await ann.agentProfile({ id })).data
  }
  await agent.usage()
  assert.equal((await profile()).avgDailyQueries, 1)
  app.clock.advance(86_400_000)
  await app.runJob('watch-network')
  await agent.buildStake({ validatorId: 'nobody', amount: '1000000000' }).catch(refused)
  await agent.metadata()
  await agent.scoredValidators()
  await agent.buildStake({ validatorId: 'nobody', amount: '1000000000' }).catch(refused)
  await agent.allocate({ amount: '1000000000' }).catch(refused)
  assert.deepEqual(await profile(), {
    agentName: 'scout',
    agentType: 'other',
    identityTier: 'admin_verified',
    avgDailyQueries: 3,
    termShoppingCount: 1,
    underwritingCount: 3,
    policyCheckCount: 2,
    riskAwarenessScore: 50,
    toolBreakdown: { usage: 1, buildStake: 2, metadata: 1, scoredValidators: 1, allocate: 1 },
    periodDays: 30,
  })
  app.clock.advance(29 * 86_400_000)
  const { toolBreakdown, avgDailyQueries } = await profile()
  assert.equal(toolBreakdown['usage'], undefined)
  assert.equal(avgDailyQueries, 0.17)
})
