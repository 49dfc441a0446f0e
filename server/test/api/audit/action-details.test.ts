import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectMcp } from '../../mcp/mcp-client.ts'
import { userToken } from '../../support/admitted-agent.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { changeStore } from '../../support/test-store.ts'

async function openWithAgent() {
  const app = await openTestApp({ env: { ADMIN_TOTP: 'optional' } })
  const agent = await registerAgent(app)
  const ann = app.client({ token: await signIn(app, 'ann@example.com') })
  const admin = app.client({ token: await userToken(app, 'root@example.com', 'admin') })
  return { app, agent, ann, admin, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('an action that came over MCP says so', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, admin } = opened
  const named = (await ann.createKey({ id: agent.id, name: 'ci', scopes: ['read', 'manage-self'] })).data
  await using mcp = await connectMcp(app.url, '2025-11-25')
  await mcp.client.callTool({ name: 'revoke_self', arguments: { apiKey: named.apiKey } })
  await mcp.client.callTool({ name: 'report_leak', arguments: { apiKey: agent.apiKey } })
  const { data } = await admin.listActions({ limit: 3 })
  assert.deepEqual(
    data.map(({ action, via, endpoint }) => [action, via, endpoint]),
    [
      ['report-leak', 'mcp', 'mcp:reportLeak'],
      ['revoke-self', 'mcp', 'mcp:revokeSelf'],
      ['create-key', 'rest', 'POST /api/v1/agents/{id}/keys'],
    ],
  )
})

test('a key whose row was put back to an earlier state is found by the action that ended it', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, admin } = opened
  const { id } = agent
  const { data: key } = await ann.createKey({ id, name: 'ci' })
  await changeStore(app.folder, 'create table old_keys as select * from agent_keys')
  await ann.revokeKey({ id, keyId: key.id })
  await ann.rotateKey({ id })
  const reason = async () => (await admin.verifyAudit()).data.reason
  assert.equal(await reason(), null)
  const old = (column: string) =>
    `${column} = (select ${column} from old_keys o where o.digest = agent_keys.digest)`
  const putBack = `update agent_keys set ${old('valid_until')}, ${old('mac')}, revoked_at = null`
  await changeStore(app.folder, `${putBack} where id = '${key.id}'`)
  assert.match(
    `${await reason()}`,
    new RegExp(`^the key ${key.keyPrefix}… of ${id} works, but the management action \\d+ ended it$`),
  )
  await changeStore(app.folder, `delete from agent_keys where id = '${key.id}'`)
  await changeStore(app.folder, 'delete from agent_keys where digest not in (select digest from old_keys)')
  await changeStore(app.folder, putBack)
  assert.match(
    `${await reason()}`,
    new RegExp(`^the key of ${id} is not that of the management action \\d+$`),
  )
  await app.client({ apiKey: agent.apiKey }).metadata()
})

test('of simultaneous changes of limits, each action has the limits that it replaced', async () => {
  await using opened = await openWithAgent()
  const { agent, admin } = opened
  const limits = Array.from({ length: 12 }, (_, at) => ({ rpm: at + 1, rpd: 100 }))
  await Promise.all(limits.map((rateLimits) => admin.updateAgent({ id: agent.id, rateLimits })))
  const { data } = await admin.listActions({ agentId: agent.id, action: 'set-limits' })
  const changes = data.toReversed().map((action) => action.limits)
  assert.deepEqual(
    changes.map((change) => change?.before),
    [null, ...changes.slice(0, -1).map((change) => change?.after)],
  )
})

test('an action says which key, or which limits it was about', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, admin } = opened
  const { id } = agent
  const { data: key } = await ann.createKey({ id, name: 'ci' })
  const { data: rotated } = await ann.rotateKey({ id })
  await ann.revokeKey({ id, keyId: key.id })
  await admin.updateAgent({ id, status: 'suspended', rateLimits: { rpm: 5, rpd: 50 } })
  await admin.updateAgent({ id, status: 'active', rateLimits: { rpm: 6, rpd: 60 } })
  await app.client().reportLeak({ apiKey: rotated.apiKey })
  const named = { id: key.id, prefix: key.keyPrefix, terms: null }
  const primary = { id: null, prefix: rotated.apiKey.slice(0, 12), terms: null }
  const terms = { scopes: ['read'], allowedNetworks: [], expiresAt: null }
  const [five, six] = [
    { rpm: 5, rpd: 50 },
    { rpm: 6, rpd: 60 },
  ]
  const { data } = await admin.listActions({ agentId: id })
  assert.deepEqual(
    data.map(({ action, key: about, limits }) => [action, about, limits]),
    [
      ['report-leak', primary, null],
      ['set-limits', null, { before: five, after: six }],
      ['resume', null, null],
      ['set-limits', null, { before: null, after: five }],
      ['suspend', null, null],
      ['revoke-key', named, null],
      ['rotate', primary, null],
      ['create-key', { ...named, terms }, null],
      ['activate', null, null],
      ['self-register', { id: null, prefix: agent.apiKey.slice(0, 12), terms: null }, null],
    ],
  )
})

test('each request and each self-revocation has the key of the agent that it was made with', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, admin } = opened
  const { id } = agent
  const { data: one } = await ann.createKey({ id, name: 'one', scopes: ['read', 'manage-self'] })
  const { data: other } = await ann.createKey({ id, name: 'other' })
  const use = ({ apiKey }: { readonly apiKey: string }) => app.client({ apiKey })
  for (const key of [one, agent, other, one]) {
    app.clock.advance(1)
    await use(key).metadata()
  }
  app.clock.advance(1)
  await use(one).revokeSelf()
  const done = (await ann.agentAudit({ id })).data.filter(({ actor }) => actor.kind === 'agent')
  assert.deepEqual(
    done.map(({ action, endpoint, actor }) => [action ?? endpoint.split('/').at(-1), actor.key]).toSorted(),
    [
      ['metadata', null],
      ['metadata', one.id],
      ['metadata', one.id],
      ['metadata', other.id],
      ['revoke-self', one.id],
      ['self', one.id],
    ].toSorted(),
  )
  const inOrder = done.filter(({ endpoint }) => endpoint.endsWith('/metadata')).toReversed()
  assert.deepEqual(
    inOrder.map(({ actor }) => actor.key),
    [one.id, null, other.id, one.id],
  )
  assert.equal((await admin.verifyAudit()).data.reason, null)
})

test('a policy change that only pauses or resumes the agent is recorded as such, and no other one is', async () => {
  await using opened = await openWithAgent()
  const { agent, ann, admin } = opened
  const { id } = agent
  const paused = { rule: 'paused' } as const
  const actions = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw', 'join'] } as const
  const stakes = { rule: 'actions', allow: ['stake'] } as const
  const most = { rule: 'maxPerTx', amount: '5' } as const
  const steps = [
    [[actions, paused], 'paused'],
    [[actions], 'resumed'],
    [[actions, most, paused], null],
    // Rules and their lists are sets: another order alone changes nothing.
    [[most, actions], 'resumed'],
    [[actions, most], null],
    [[paused, most, { ...actions, allow: actions.allow.toReversed() }], 'paused'],
    [[paused, most, stakes], null],
    [[most, stakes], 'resumed'],
    [[most, stakes], null],
  ] as const
  for (const [revision, [rules]] of steps.entries())
    await ann.writePolicy({ id, rules: [...rules], ...(revision > 0 && { revision }) })
  const expected = steps.map(([, change], at) => ({ revision: at + 1, change }))
  const { data } = await ann.agentAudit({ id })
  const written = data.filter(({ action }) => action === 'set-policy').map(({ policy }) => policy)
  assert.deepEqual(written.toReversed(), expected)
  assert(data.every(({ action, policy }) => action === 'set-policy' || policy === null))
  assert.equal((await admin.verifyAudit()).data.reason, null)
})
