import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@stakewright/contract/limits'
import { ROUTES } from '@stakewright/contract/routes'
import { sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const ADMIN = 'root@example.com'
const MISSING = 'agt_0000000000000000000000'
const MISSING_KEY = 'key_0000000000000000'
const MISSING_APPROVAL = 'apr_0000000000000000'
const MALFORMED = ['x', '%27%20or%201=1', '..%2F..%2Fetc', '%F0%9F%92%A5', 'null', '0']

const BODIES: Readonly<Record<string, unknown>> = {
  updateAgent: { status: 'active' },
  createKey: { name: 'ci' },
  writePolicy: { rules: [] },
  decideApproval: { decision: 'refuse' },
}

/** Every management route that names an agent, with a valid body. */
const NAMED = Object.entries(ROUTES)
  .filter(([, { path }]) => path.startsWith('/api/v1/agents/{id}'))
  .map(([name, { method, path }]) => ({
    name,
    json: BODIES[name],
    target: (id: string) =>
      `${method} ${path.replace('{id}', id).replace('{keyId}', MISSING_KEY).replace('{approvalId}', MISSING_APPROVAL).replace('{reservationId}', 'rsv_missing')}`,
  }))

async function openWithTwoOwners() {
  const app = await openTestApp({ env: { ADMIN_EMAILS: ADMIN, LIMIT_IP_RPM: '1000' } })
  const own = await registerAgent(app, { email: 'ann@example.com' })
  const foreign = await registerAgent(app, { email: 'bob@example.com' })
  const tokens = { user: await signIn(app, 'ann@example.com'), admin: await signIn(app, ADMIN) }
  const send = (route: (typeof NAMED)[number], id: string, role: 'user' | 'admin') => {
    const headers = ['Authorization', `Bearer ${tokens[role]}`]
    return sendRaw(app.url, route.target(id), { headers, json: route.json })
  }
  return { app, own, foreign, send, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('these tests cover every route that names an agent', () => {
  assert.deepEqual(
    NAMED.map(({ name }) => name),
    [
      'readAgent',
      'updateAgent',
      'rotateKey',
      'listKeys',
      'createKey',
      'revokeKey',
      'readPolicy',
      'writePolicy',
      'policyRevisions',
      'listApprovals',
      'readApproval',
      'decideApproval',
      'listReservations',
      'cancelReservation',
      'revokeAgent',
      'agentProfile',
      'agentAudit',
    ],
  )
})

for (const route of NAMED.filter(({ name }) => name !== 'updateAgent')) {
  test(`404: ${route.name}: a foreign id looks like a missing one, byte for byte, and nothing happens to it`, async () => {
    await using opened = await openWithTwoOwners()
    const { app, foreign, send } = opened
    const missing = await send(route, MISSING, 'user')
    assert.equal(missing.status, 404)
    for (const id of [foreign.id, ...MALFORMED]) {
      const answer = await send(route, id, 'user')
      assert.equal(answer.status, 404, id)
      assert.equal(withoutRequestId(answer), withoutRequestId(missing), id)
    }
    await app.client({ apiKey: foreign.apiKey }).metadata()
  })
}

test('403: updateAgent: an agent’s own owner learns no more than a stranger', async () => {
  await using opened = await openWithTwoOwners()
  const { own, foreign, send } = opened
  const [route] = NAMED.filter(({ name }) => name === 'updateAgent')
  assert(route)
  const answers = await Promise.all(
    [own.id, foreign.id, MISSING, ...MALFORMED].map((id) => send(route, id, 'user')),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([403]))
  assert.equal(new Set(answers.map(withoutRequestId)).size, 1)
})

test('200: an owner reaches their own agent by every route, an admin every agent', async () => {
  await using opened = await openWithTwoOwners()
  const { own, foreign, send } = opened
  const last = (name: string) => Number(name === 'revokeAgent')
  // These need a named key, an approval or a reservation; other tests cover them.
  const missing = ['revokeKey', 'readApproval', 'decideApproval', 'cancelReservation']
  const routes = NAMED.filter(({ name }) => !missing.includes(name))
  for (const route of routes.toSorted((a, b) => last(a.name) - last(b.name))) {
    const success = route.name === 'createKey' ? 201 : 200
    if (route.name !== 'updateAgent')
      assert.equal((await send(route, own.id, 'user')).status, success, route.name)
    assert.equal((await send(route, foreign.id, 'admin')).status, success, route.name)
    assert.equal((await send(route, MISSING, 'admin')).status, 404, route.name)
  }
})

test('401: without a token every route gives the same refusal for every id', async () => {
  await using opened = await openWithTwoOwners()
  const { app, own } = opened
  for (const route of NAMED) {
    const answers = await Promise.all(
      [own.id, MISSING, 'x'].map((id) => sendRaw(app.url, route.target(id), { json: route.json })),
    )
    for (const { status } of answers) assert.equal(status, 401, route.name)
    assert.equal(new Set(answers.map(withoutRequestId)).size, 1)
  }
})

test('403: no route that names an agent changes it for an admin whose sign-in is not fresh', async () => {
  await using opened = await openWithTwoOwners()
  const { app, foreign, send } = opened
  app.clock.advance(LIMITS.freshSignInMs)
  for (const route of NAMED) {
    const answer = await send(route, foreign.id, 'admin')
    const isRead = route.target('').startsWith('GET ')
    assert.equal(answer.text.includes('Sign in again'), !isRead, `${route.name}: ${answer.text}`)
    if (!isRead) assert.equal(answer.status, 403, route.name)
  }
  assert.equal((await app.client({ apiKey: foreign.apiKey }).usage()).used.rpm, 1)
})
