import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StakewrightError } from '@stakewright/client'
import { neededScope, ROUTES } from '@stakewright/contract'
import { MINUTE_MS } from '../../../src/durations.ts'
import { type RegisteredAgent, registerAgent, signIn } from '../../support/registered-agent.ts'
import { newestMail } from '../../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { askStore, changeStore } from '../../support/test-store.ts'

const ANN = 'ann@example.com'

async function openWithAgent(env: Record<string, string> = {}) {
  const app = await openTestApp({ env })
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  return { app, agent, ann, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const use = (app: TestApp, { apiKey }: Pick<RegisteredAgent, 'apiKey'>) => app.client({ apiKey }).metadata()

test('201: a named key works beside the primary one, with its quota, and is listed without its secret', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const { data } = await ann.createKey({ id: agent.id, name: 'ci' })
  assert.deepEqual(data.scopes, ['read'])
  assert.equal(data.keyPrefix, data.apiKey.slice(0, 12))
  await use(app, agent)
  await use(app, data)
  const usage = await app.client({ apiKey: data.apiKey }).usage()
  assert.equal(usage.used.rpm, 3, 'the quota is the agent’s')
  const { apiKey: _, warning: __, ...shown } = data
  const lastUsedAt = new Date(app.clock.now()).toISOString()
  assert.deepEqual((await ann.listKeys({ id: agent.id })).data, [{ ...shown, lastUsedAt }])
  const { raw } = await newestMailTo(app)
  assert(raw.includes(data.keyPrefix) && raw.includes(agent.id) && !raw.includes(data.apiKey))
})

async function newestMailTo(app: TestApp) {
  await app.runJob('deliver-mail')
  return newestMail(app.folder, ANN)
}

test('200: only the revoked key is refused from the answer on, as revoked; a repeat gets the same answer', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const { data: first } = await ann.createKey({ id: agent.id, name: 'first' })
  const { data: second } = await ann.createKey({ id: agent.id, name: 'second' })
  await use(app, first)
  const revoked = await ann.revokeKey({ id: agent.id, keyId: first.id })
  assert.deepEqual(revoked.data.id, first.id)
  await assert.rejects(use(app, first), { code: 'unauthorized', message: /revoked/ })
  await use(app, second)
  await use(app, agent)
  app.clock.advance(MINUTE_MS)
  assert.deepEqual(await ann.revokeKey({ id: agent.id, keyId: first.id }), revoked)
  const statuses = (await ann.listKeys({ id: agent.id })).data.map(({ name, status }) => [name, status])
  assert.deepEqual(Object.fromEntries(statuses), { first: 'revoked', second: 'active' })
  const actions = (await ann.agentAudit({ id: agent.id })).data.flatMap(({ action }) => action ?? [])
  assert.deepEqual(actions, ['revoke-key', 'create-key', 'create-key', 'activate', 'self-register'])
})

test('401: a key ends exactly when it says, and a clock that steps back revives no revoked key', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const end = app.clock.now() + MINUTE_MS
  const expiresAt = new Date(end).toISOString()
  const { data } = await ann.createKey({ id: agent.id, name: 'short', expiresAt })
  app.clock.set(end - 1)
  await use(app, data)
  app.clock.set(end)
  await assert.rejects(use(app, data), { code: 'unauthorized', message: /expired/ })
  await assert.rejects(ann.createKey({ id: agent.id, name: 'past', expiresAt }), { code: 'invalid_input' })
  const { data: other } = await ann.createKey({ id: agent.id, name: 'other' })
  await ann.revokeKey({ id: agent.id, keyId: other.id })
  app.clock.set(end - MINUTE_MS)
  await assert.rejects(use(app, other), { code: 'unauthorized', message: /revoked/ })
})

test('403: a key does what its scopes say and nothing else', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const keyWith = async (scope: 'read' | 'build' | 'manage-self') => {
    const { data } = await ann.createKey({ id: agent.id, name: scope, scopes: [scope] })
    return app.client({ apiKey: data.apiKey })
  }
  const [reads, builds, manages] = [
    await keyWith('read'),
    await keyWith('build'),
    await keyWith('manage-self'),
  ]
  const forbidden = { code: 'forbidden', message: /scope/ }
  const stake = {
    validatorId: (await reads.scoredValidators()).validators[0]?.validatorId ?? '',
    amount: '10000000000',
  }
  await assert.rejects(reads.buildStake(stake), forbidden)
  await assert.rejects(reads.revokeSelf(), forbidden)
  const amount = '100000000000'
  await reads.allocate({ amount })
  const held = { validatorId: stake.validatorId, stakedTokenId: `0x${'1'.repeat(64)}`, principal: amount }
  const plan = reads.planRebalance({ positions: [held] })
  await assert.rejects(plan, { code: 'forbidden', message: /builder tier/ }, 'the scope is enough')
  await builds.buildStake(stake)
  await assert.rejects(builds.metadata(), forbidden)
  await assert.rejects(manages.metadata(), forbidden)
  await manages.revokeSelf()
  await assert.rejects(manages.revokeSelf(), { code: 'unauthorized', message: /revoked/ })
  await use(app, agent)
})

/** They are called by POST, but change nothing. */
const READ_BY_POST: ReadonlySet<string> = new Set(['allocate', 'planRebalance', 'backtest', 'simulatePolicy'])

test('every endpoint that takes a key needs a scope, and only reading ones need `read`', () => {
  for (const [name, { method, auth }] of Object.entries(ROUTES)) {
    if (auth !== 'agent-key' || method === 'GET' || READ_BY_POST.has(name)) continue
    assert.notEqual(neededScope(name as keyof typeof ROUTES), 'read', name)
  }
})

test('401: a key is accepted from its networks only, and requests from others are not charged', async () => {
  await using opened = await openWithAgent({ TRUST_PROXY_HOPS: '1' })
  const { app, agent, ann } = opened
  const allowedNetworks = ['203.0.113.0/24', '2001:db8::/32']
  const { data } = await ann.createKey({ id: agent.id, name: 'office', allowedNetworks })
  assert.deepEqual(data.allowedNetworks, allowedNetworks)
  const from = async (address: string) => {
    const headers = { 'x-api-key': data.apiKey, 'x-forwarded-for': address }
    const answer = await fetch(`${app.url}/api/v1/staking/agent/usage`, { headers })
    const body = (await answer.json()) as { used?: { rpm: number }; message: string }
    return [answer.status, body.used?.rpm ?? body.message] as const
  }
  assert.deepEqual(await from('203.0.113.9'), [200, 1])
  const [status, message] = await from('203.0.114.9')
  assert.equal(status, 401)
  assert.match(String(message), /network/)
  assert.equal((await from('2001:db9::1'))[0], 401)
  assert.deepEqual(await from('2001:db8:7::1'), [200, 2])
})

test('200: rotation replaces the primary key only; revoking the agent ends all', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const { data: named } = await ann.createKey({ id: agent.id, name: 'ci' })
  const { data: rotated } = await ann.rotateKey({ id: agent.id })
  await use(app, named)
  await use(app, rotated)
  await assert.rejects(use(app, agent), { message: /replaced/ })
  await ann.revokeAgent({ id: agent.id })
  await assert.rejects(use(app, named), { message: /revoked/ })
  await assert.rejects(ann.createKey({ id: agent.id, name: 'more' }), { code: 'not_found' })
})

test('202: a reported named key ends alone, and its owner is told which', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const { data } = await ann.createKey({ id: agent.id, name: 'ci' })
  await app.client().reportLeak({ apiKey: data.apiKey })
  await assert.rejects(use(app, data), { message: /revoked/ })
  await use(app, agent)
  const { raw } = await newestMailTo(app)
  assert(raw.includes('reported as leaked') && raw.includes(data.keyPrefix))
})

test('404: keys of another owner’s agent are answered as missing', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const { data } = await ann.createKey({ id: agent.id, name: 'ci' })
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  await assert.rejects(bob.listKeys({ id: agent.id }), { code: 'not_found' })
  await assert.rejects(bob.createKey({ id: agent.id, name: 'mine' }), { code: 'not_found' })
  await assert.rejects(bob.revokeKey({ id: agent.id, keyId: data.id }), { code: 'not_found' })
  await assert.rejects(ann.revokeKey({ id: agent.id, keyId: 'key_none' }), { code: 'not_found' })
  await use(app, data)
})

test('400: wrong scopes, networks and more keys than allowed are refused', async () => {
  await using opened = await openWithAgent()
  const { agent, ann } = opened
  const make = (fields: object) => ann.createKey({ id: agent.id, name: 'x', ...fields })
  const wrong = [
    { scopes: [] },
    { scopes: ['read', 'read'] },
    { scopes: ['admin'] },
    { allowedNetworks: ['203.0.113.0/33'] },
    { allowedNetworks: ['2001:db8::1/128'] },
    { allowedNetworks: ['2001:db8::1'] },
    { allowedNetworks: ['example.com'] },
    { expiresAt: 'tomorrow' },
    { name: '' },
  ]
  for (const fields of wrong)
    await assert.rejects(make(fields), { code: 'invalid_input' }, JSON.stringify(fields))
  for (let count = 0; count < 20; count += 1) await make({ name: `key ${count}` })
  await assert.rejects(make({}), { code: 'invalid_input', message: /Revoke one first/ })
})

/** Texts that a reader could take for another network than the one they would allow. */
const MISLEADING_NETWORKS = {
  '203.0.113.5/24': /first address/,
  '2001:db8::1/48': /first address/,
  '2001:db8:0:0:8000::/64': /first address/,
  '::ffff:cb00:7100/64': /first address/,
  '::ffff:203.0.113.0/64': /written as IPv4/,
  '::ffff:203.0.113.0/120': /at most 64 bits/,
  '0.0.0.0/0': /every address/,
  '::/0': /every address/,
  '0.0.0.0': /every address/,
  'fe80::%eth0/64': /such as/,
  '010.0.0.0/8': /such as/,
  '10.0.0.0/08': /such as/,
  '10.0/16': /such as/,
  '0xa000000/8': /such as/,
  '203.0.113.0/': /such as/,
  '203.0.113.0/24 ': /such as/,
}

test('400: a network that would not mean what its text says is refused, with its place in the list', async () => {
  await using opened = await openWithAgent()
  const { agent, ann } = opened
  const make = (network: string) =>
    ann.createKey({ id: agent.id, name: 'x', allowedNetworks: ['203.0.113.0/24', network] })
  for (const [network, reason] of Object.entries(MISLEADING_NETWORKS))
    await assert.rejects(make(network), (error: StakewrightError) => {
      assert.equal(error.code, 'invalid_input', network)
      assert.deepEqual(
        error.details?.map(({ field }) => field),
        ['allowedNetworks[1]'],
        network,
      )
      assert.match(error.message, reason, network)
      return true
    })
  for (const network of ['203.0.113.5', '203.0.113.5/32', '128.0.0.0/1', '2001:DB8::/32', '::/64'])
    assert.equal((await make(network)).data.allowedNetworks[1], network)
})

/** Rows forged by an attacker who can write the database, but lacks the pepper. */
const FORGERIES = {
  'moved to an agent of a higher tier':
    "update agent_keys set agent_no = (select no from agents where tier = 'builder') where id is not null",
  'given more scopes': "update agent_keys set scopes = 'read build manage-self' where id is not null",
  'freed from its networks': "update agent_keys set networks = '' where id is not null",
  'made to last': 'update agent_keys set valid_until = null where id is not null',
  'made the primary one':
    'update agent_keys set id = null, scopes = null, networks = null, valid_until = null where id is not null',
  'without a seal': 'update agent_keys set mac = null where id is not null',
}

for (const [what, forgery] of Object.entries(FORGERIES)) {
  test(`401: a key that was ${what} in the database opens nothing`, async () => {
    await using opened = await openWithAgent()
    const { app, agent, ann } = opened
    await ann.registerAgent({ agentName: 'better', tier: 'builder' })
    const expiresAt = new Date(app.clock.now() + MINUTE_MS).toISOString()
    const limits = { allowedNetworks: ['127.0.0.0/8'], expiresAt }
    const { data } = await ann.createKey({ id: agent.id, name: 'ci', ...limits })
    await use(app, data)
    assert.equal((await askStore(app.folder, `${forgery} returning digest`)).length, 1)
    await assert.rejects(use(app, data), { code: 'unauthorized' })
    await use(app, agent)
  })
}

/** Changes of a row that make its key seem ended, and that an attacker could undo later. */
const SEEMING_ENDS = [
  'update agent_keys set revoked_at = 1 where id is not null',
  'update agent_keys set revoked_at = 1, valid_until = 0 where id is not null',
]

for (const change of SEEMING_ENDS)
  test(`200: a key is ended by its owner even after "${change}"`, async () => {
    await using opened = await openWithAgent()
    const { app, agent, ann } = opened
    const { id } = agent
    const { data: key } = await ann.createKey({ id, name: 'ci' })
    await changeStore(app.folder, change)
    const { data } = await ann.revokeKey({ id, keyId: key.id })
    assert.equal(data.revokedAt, new Date(app.clock.now()).toISOString())
    await assert.rejects(use(app, key), { code: 'unauthorized' })
    await changeStore(
      app.folder,
      'update agent_keys set revoked_at = null, valid_until = null where id is not null',
    )
    await assert.rejects(use(app, key), { code: 'unauthorized' })
    const actions = (await ann.agentAudit({ id })).data.flatMap(({ action }) => action ?? [])
    assert.deepEqual(actions.slice(0, 2), ['revoke-key', 'create-key'])
  })

test('401: a key that was planted beside the primary one is not made valid by a rotation with grace', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const planted = (await ann.registerAgent({ agentName: 'planted' })).data
  const numberOf = (id: string) => `(select no from agents where id = '${id}')`
  await askStore(
    app.folder,
    `update agent_keys set agent_no = ${numberOf(agent.id)} where agent_no = ${numberOf(planted.id)}`,
  )
  await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 3600 })
  await use(app, agent)
  await assert.rejects(use(app, planted), { code: 'unauthorized' })
})
