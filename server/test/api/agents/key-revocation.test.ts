import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { newestMail, readMails } from '../../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const LEAK = 'POST /api/v1/agents/report-leak'

async function notices(app: TestApp) {
  await app.runJob('deliver-mail')
  return (await readMails(app.folder)).filter(({ raw }) => /^Subject: A Stakewright API key/m.test(raw))
}

test('200: a key ends itself, without a sign-in, and its owner is told', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const { data } = await app.client({ apiKey: agent.apiKey }).revokeSelf()
  const revokedAt = new Date(app.clock.now()).toISOString()
  assert.deepEqual(data, { id: agent.id, status: 'revoked', revokedAt })
  const refused = { code: 'unauthorized', message: /revoked/ }
  await assert.rejects(app.client({ apiKey: agent.apiKey }).metadata(), refused)
  await assert.rejects(app.client({ apiKey: agent.apiKey }).revokeSelf(), refused)
  assert.equal((await notices(app)).length, 1)
  const { raw } = await newestMail(app.folder, ANN)
  assert(raw.includes(`"yield-scout" (${agent.id})`) && raw.includes(agent.apiKey.slice(0, 12)))
})

test('200: a key whose quota is used up can still end itself, and do nothing else', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const client = app.client({ apiKey: agent.apiKey })
  for (let count = 0; count < 10; count += 1) await client.metadata()
  await assert.rejects(client.metadata(), { code: 'rate_limited' })
  assert.equal((await client.revokeSelf()).data.status, 'revoked')
  await assert.rejects(client.metadata(), { code: 'unauthorized', message: /revoked/ })
})

test('200: an address that is over its limit can still end keys, up to a second limit', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '5' } })
  const agent = await registerAgent(app, { email: ANN })
  const end = (apiKey: string) =>
    sendRaw(app.url, 'DELETE /api/v1/agents/self', { headers: ['X-API-Key', apiKey] })
  const epoch = 'GET /api/v1/staking/epoch'
  for (let count = 0; count < 6; count += 1) await sendRaw(app.url, epoch)
  assert.equal((await sendRaw(app.url, epoch)).status, 429)
  assert.equal((await end(agent.apiKey)).status, 200)
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) statuses.push((await end('x')).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 429])
})

test('200: a replaced key in its grace period ends itself, and the new key still works', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const { data: rotated } = await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 3_600 })
  await app.client({ apiKey: agent.apiKey }).revokeSelf()
  await assert.rejects(app.client({ apiKey: agent.apiKey }).metadata(), { code: 'unauthorized' })
  await app.client({ apiKey: rotated.apiKey }).metadata()
})

test('401: only a key ends itself; a token or no credential does not', async () => {
  await using app = await openTestApp()
  const token = await signIn(app, ANN)
  await assert.rejects(app.client({ token }).revokeSelf(), { code: 'unauthorized' })
  await assert.rejects(app.client().revokeSelf(), { code: 'unauthorized' })
})

test('202: a reported key is dead from the answer on, even with its quota used up, and its owner is told', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const client = app.client({ apiKey: agent.apiKey })
  for (let count = 0; count < 10; count += 1) await client.metadata()
  await assert.rejects(client.metadata(), { code: 'rate_limited' })
  await app.client().reportLeak({ apiKey: agent.apiKey })
  await assert.rejects(client.metadata(), { code: 'unauthorized', message: /revoked/ })
  const mails = await notices(app)
  assert.deepEqual(
    mails.map(({ to }) => to),
    [ANN],
  )
  assert.match(mails[0]?.raw ?? '', /reported as leaked/)
})

test('202: the same answer for a working, revoked, invented and malformed key; only the working one changes', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const invented = `${agent.apiKey.slice(0, -1)}${agent.apiKey.endsWith('x') ? 'y' : 'x'}`
  const answers = new Set<string>()
  for (const apiKey of [agent.apiKey, agent.apiKey, invented, 'no key at all']) {
    const answer = await sendRaw(app.url, LEAK, { json: { apiKey } })
    assert.equal(answer.status, 202)
    answers.add(withoutRequestId(answer))
  }
  assert.equal(answers.size, 1)
  assert.equal((await notices(app)).length, 1)
})

test('202: a reported key is found in the text around it, and so is each of several keys', async () => {
  await using app = await openTestApp()
  const { id } = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  let made = 0
  const newKey = async () => {
    made += 1
    return (await ann.createKey({ id, name: `key ${made}` })).data.apiKey
  }
  const around = ['①\n', ' ① ', '"①"', 'Bearer ①', 'X-API-Key: ①', 'api_key=①', '①\n②']
  const glued = ['\\n①', '\\u0022①\\u0022', '%3d①', 'key_①', 'sk_①', 'x①', '①x', 'stk_①', '①_x', '①②']
  for (const found of [...around, ...glued]) {
    const keys = [await newKey(), await newKey()].slice(0, found.includes('②') ? 2 : 1)
    await app.client().reportLeak({
      apiKey: found.replace(/[①②]/g, (place) => keys['①②'.indexOf(place)] ?? ''),
    })
    for (const apiKey of keys)
      await assert.rejects(app.client({ apiKey }).metadata(), { message: /revoked/ }, JSON.stringify(found))
  }
})

test('403, 401: a key that may not end itself is told to report itself as leaked, not to send another key', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const limited = [
    { name: 'reader', scopes: ['read' as const] },
    { name: 'elsewhere', scopes: ['manage-self' as const], allowedNetworks: ['203.0.113.0/24'] },
  ]
  for (const limits of limited) {
    const { apiKey } = (await ann.createKey({ id: agent.id, ...limits })).data
    const refused = await sendRaw(app.url, 'DELETE /api/v1/agents/self', { headers: ['X-API-Key', apiKey] })
    const { fix, next } = JSON.parse(refused.text)
    assert.match(fix, /^To end this key, report it as leaked: POST \/api\/v1\/agents\/report-leak/)
    assert.equal(next.path, '/api/v1/agents/report-leak')
    await app.client().reportLeak({ apiKey })
    await assert.rejects(app.client({ apiKey }).metadata(), { message: /revoked/ })
  }
  await app.client({ apiKey: agent.apiKey }).metadata()
})

test('202: reporting a key that was replaced already changes nothing', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const { data: rotated } = await ann.rotateKey({ id: agent.id })
  const before = await notices(app)
  await app.client().reportLeak({ apiKey: agent.apiKey })
  await app.client({ apiKey: rotated.apiKey }).metadata()
  assert.equal((await notices(app)).length, before.length, 'only the rotation was told')
})

test('202: the key of an unverified agent is revoked, and no mail goes to its unproven address', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN, isVerified: false })
  await app.client().reportLeak({ apiKey: agent.apiKey })
  await assert.rejects(app.client({ apiKey: agent.apiKey }).metadata(), { message: /revoked/ })
  assert.equal((await notices(app)).length, 0)
})

test('429: reports count towards the limit of their network address', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '5' } })
  const report = () => sendRaw(app.url, LEAK, { json: { apiKey: 'x' } })
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1) statuses.push((await report()).status)
  assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429])
})
