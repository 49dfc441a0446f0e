import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ADMIN = 'root@example.com'

async function openWithAdmin() {
  const app = await openTestApp({ env: { ADMIN_EMAILS: ADMIN } })
  const agent = await registerAgent(app, { email: ANN })
  const token = await signIn(app, ADMIN)
  const admin = app.client({ token })
  const client = app.client({ apiKey: agent.apiKey })
  return { app, agent, token, admin, client, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('200: a suspended key is refused at once, and works again once it is resumed; both may be repeated', async () => {
  await using opened = await openWithAdmin()
  const { agent, admin, client } = opened
  for (const status of ['suspended', 'suspended', 'active', 'active'] as const) {
    const { data } = await admin.updateAgent({ id: agent.id, status })
    assert.equal(data.status, status)
    if (status === 'active') await client.metadata()
    else await assert.rejects(client.metadata(), { code: 'unauthorized', message: /suspended/ })
  }
})

test('200: a repeated step is logged each time, and mailed once', async () => {
  await using opened = await openWithAdmin()
  const { app, agent, admin } = opened
  for (const status of ['suspended', 'suspended', 'active', 'active'] as const)
    await admin.updateAgent({ id: agent.id, status })
  await admin.updateAgent({ id: agent.id, status: 'active', rateLimits: { rpm: 3, rpd: 50 } })
  const { data } = await admin.listActions({ agentId: agent.id, limit: 6 })
  assert.deepEqual(data.map(({ action }) => action).reverse(), [
    'suspend',
    'suspend',
    'resume',
    'resume',
    'resume',
    'set-limits',
  ])
  await app.runJob('deliver-mail')
  const subjects = (await readMails(app.folder))
    .filter(({ to }) => to === ANN)
    .flatMap(({ raw }) => raw.match(/^Subject: .*(?:suspended|resumed|limits).*$/m)?.[0].trim() ?? [])
  assert.deepEqual(subjects, [
    'Subject: A Stakewright agent was suspended',
    'Subject: A Stakewright agent was resumed',
    'Subject: A Stakewright agent has other limits',
  ])
})

test('200: limits hold from the next request on, in place of the tier’s', async () => {
  await using opened = await openWithAdmin()
  const { agent, admin, client } = opened
  await client.metadata()
  const { data } = await admin.updateAgent({ id: agent.id, rateLimits: { rpm: 3, rpd: 50 } })
  assert.deepEqual(data.rateLimits, { rpm: 3, rpd: 50 })
  await client.metadata()
  assert.equal(client.last?.rateLimit?.remainingMinute, 1)
  assert.equal(client.last?.rateLimit?.remainingDay, 48)
  await admin.updateAgent({ id: agent.id, rateLimits: { rpm: 0, rpd: 0 } })
  await assert.rejects(client.metadata(), { code: 'rate_limited' })
})

test('400: a step that the state does not allow changes nothing, the limits included', async () => {
  await using opened = await openWithAdmin()
  const { app, admin } = opened
  const pending = await registerAgent(app, { email: ANN, isVerified: false })
  const change = { id: pending.id, status: 'suspended', rateLimits: { rpm: 1, rpd: 1 } } as const
  await assert.rejects(admin.updateAgent(change), { code: 'invalid_input', message: /not verified yet/ })
  const listed = (await admin.listAgents({ all: true })).data.find(({ id }) => id === pending.id)
  assert.deepEqual(listed?.rateLimits, { rpm: 10, rpd: 100 })
})

test('400: a body that sets nothing, or an unknown field or value', async () => {
  await using opened = await openWithAdmin()
  const { app, agent, token } = opened
  const wrong = [
    {},
    { status: 'revoked' },
    { status: 'pending_verification' },
    { tier: 'pro' },
    { status: 'active', keyPrefix: 'x' },
    { rateLimits: { rpm: -1, rpd: 1 } },
    { rateLimits: { rpm: 1 } },
    { rateLimits: { rpm: 1, rpd: 1, rph: 1 } },
  ]
  for (const json of wrong) {
    const headers = ['Authorization', `Bearer ${token}`]
    const answer = await sendRaw(app.url, `PATCH /api/v1/agents/${agent.id}`, { headers, json })
    assert.equal(answer.status, 400, JSON.stringify(json))
  }
})

test('403: only an admin may change an agent, whoever owns it', async () => {
  await using opened = await openWithAdmin()
  const { app, agent, client } = opened
  const ann = app.client({ token: await signIn(app, ANN) })
  for (const id of [agent.id, 'agt_0000000000000000000000']) {
    await assert.rejects(ann.updateAgent({ id, status: 'suspended' }), { code: 'forbidden' })
  }
  await client.metadata()
})

test('404: an unknown id', async () => {
  await using opened = await openWithAdmin()
  const change = { id: 'agt_0000000000000000000000', status: 'active' } as const
  await assert.rejects(opened.admin.updateAgent(change), { code: 'not_found' })
})
