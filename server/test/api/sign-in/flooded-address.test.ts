import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../../src/durations.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { mailedCode, registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const LIMIT = 12
const ENV = { LIMIT_IP_RPM: String(LIMIT) }
const EPOCH = 'GET /api/v1/staking/epoch'
const LEAK = 'POST /api/v1/agents/report-leak'
const CODE = { json: { email: ANN, code: '000000' } }

const statusOf = async (app: TestApp, call: string, sent: Parameters<typeof sendRaw>[2] = {}) =>
  (await sendRaw(app.url, call, sent)).status

/** Uses up the ordinary limit of the address from which everything in these tests is sent. */
async function flood(app: TestApp): Promise<void> {
  for (let sent = 0; sent < LIMIT; sent += 1) await statusOf(app, EPOCH, { headers: ['X-API-Key', 'x'] })
  assert.equal(await statusOf(app, EPOCH), 429)
}

const revoked = { code: 'unauthorized', message: /revoked/ } as const

test('200: an address beyond its limit can still sign in, list, revoke and report keys, and end sessions', async () => {
  await using app = await openTestApp({ env: ENV })
  const [first, second, third] = [
    await registerAgent(app, { email: ANN }),
    await registerAgent(app, { email: ANN }),
    await registerAgent(app, { email: ANN }),
  ]
  const before = app.client({ token: await signIn(app, ANN) })
  const named = (await before.createKey({ id: first.id, name: 'ci' })).data
  app.clock.advance(MINUTE_MS)
  await flood(app)

  const ann = app.client({ token: await signIn(app, ANN) })
  assert.equal((await ann.listAgents()).data.length, 3)
  assert.equal((await ann.readAgent({ id: first.id })).data.status, 'active')
  const [key] = (await ann.listKeys({ id: first.id })).data
  await ann.revokeKey({ id: first.id, keyId: key?.id ?? '' })
  await ann.revokeAgent({ id: first.id })
  const other = (await ann.listSessions()).data.find(({ isCurrent }) => !isCurrent)
  await ann.endSession({ id: other?.id ?? '' })
  await app.client().reportLeak({ apiKey: second.apiKey })
  await app.client({ apiKey: third.apiKey }).revokeSelf()
  await assert.rejects(ann.waitingApprovals(), { code: 'rate_limited' }, 'the limit is still used up')

  app.clock.advance(MINUTE_MS)
  for (const { apiKey } of [named, first, second, third])
    await assert.rejects(app.client({ apiKey }).metadata(), revoked)
  await assert.rejects(before.listAgents(), { code: 'unauthorized' })
})

test('200: a wallet asks for its challenge and a page of another origin asks whether it may call, beyond the limit, too', async () => {
  const origin = 'https://console.example'
  await using app = await openTestApp({ env: { ...ENV, CORS_ORIGINS: origin } })
  await flood(app)
  const { data } = await app.client().walletChallenge({ address: `0x${'a'.repeat(64)}` })
  assert(data.nonce.length > 0)
  const preflight = (method: string, path: string) =>
    statusOf(app, `OPTIONS ${path}`, {
      headers: ['Origin', origin, 'Access-Control-Request-Method', method],
    })
  assert.equal(await preflight('DELETE', '/api/v1/agents/agt_any'), 204)
  assert.equal(await preflight('PATCH', '/api/v1/agents/agt_any'), 429)
})

const FLOODED = {
  'sign-ins': ['POST /api/v1/auth/token', CODE, 401, /limit of 12 requests per minute .* that sign in is/],
  'reported keys': [LEAK, { json: { apiKey: 'x' } }, 202, /that end or report keys is used up/],
  'lists of agents': ['GET /api/v1/agents', {}, 401, /that list and end agents, keys and sessions is/],
} as const

for (const [what, [call, sent, status, refusal]] of Object.entries(FLOODED)) {
  test(`429: ${what} of an address are limited apart, and take nothing from its other requests`, async () => {
    await using app = await openTestApp({ env: ENV })
    const statuses: number[] = []
    for (let count = 0; count < LIMIT; count += 1) statuses.push(await statusOf(app, call, sent))
    assert.deepEqual(statuses, Array(LIMIT).fill(status))
    const refused = await sendRaw(app.url, call, sent)
    assert.equal(refused.status, 429)
    assert.match(refused.text, refusal)
    for (const [other, [otherCall, otherSent, otherStatus]] of Object.entries(FLOODED))
      if (other !== what) assert.equal(await statusOf(app, otherCall, otherSent), otherStatus, other)
    assert.equal(await statusOf(app, EPOCH), 200)
    app.clock.advance(MINUTE_MS)
    assert.equal(await statusOf(app, call, sent), status)
  })
}

test('429: what only looks like such a request counts for the ordinary limit', async () => {
  await using app = await openTestApp({ env: ENV })
  await flood(app)
  for (const call of [
    'GET /api/v1/agents/verify',
    'POST /api/v1/agents/agt_any/rotate',
    'PATCH /api/v1/agents/agt_any',
    'GET /api/v1/agents/agt_any/audit',
    'GET /api/v1/agents/',
    'DELETE /api/v1/agents/%zz',
    'POST /api/v1/auth/totp',
  ])
    assert.equal(await statusOf(app, call), 429, call)
})

test('200: after a restart the limits of an address are as used up as before', async () => {
  await using app = await openTestApp({ env: ENV })
  for (let count = 0; count < LIMIT; count += 1) await statusOf(app, LEAK, { json: { apiKey: 'x' } })
  await app.stop()
  await using again = await openTestApp({ env: ENV, folder: app.folder, clock: app.clock })
  assert.equal(await statusOf(again, LEAK, { json: { apiKey: 'x' } }), 429)
  await again.client().requestCode({ email: ANN })
  assert.match(await mailedCode(again, ANN), /^[0-9]{6}$/)
})
