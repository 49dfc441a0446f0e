import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ADMIN = 'root@example.com'

async function openWithUsers() {
  const app = await openTestApp({ env: { ADMIN_EMAILS: ADMIN } })
  const ann = app.client({ token: await signIn(app, ANN) })
  const admin = app.client({ token: await signIn(app, ADMIN) })
  return { app, ann, admin, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('201: a user registers free and builder agents for themselves; their keys work at once', async () => {
  await using opened = await openWithUsers()
  const { app, ann } = opened
  const mails = (await readMails(app.folder)).length
  const tiers = [
    [undefined, 'free', { rpm: 10, rpd: 100 }],
    ['builder', 'builder', { rpm: 100, rpd: 1_000 }],
  ] as const
  for (const [asked, tier, rateLimits] of tiers) {
    const { data } = await ann.registerAgent({ agentName: 'x', ...(asked && { tier: asked }) })
    assert.equal(data.status, 'active')
    assert.equal(data.tier, tier)
    assert.deepEqual(data.rateLimits, rateLimits)
    await app.client({ apiKey: data.apiKey }).metadata()
  }
  const listed = (await ann.listAgents()).data
  assert(listed.every(({ identityTier }) => identityTier === 'user_linked'))
  assert.equal((await readMails(app.folder)).length, mails)
})

test('201: a user may name their own address, in any spelling', async () => {
  await using opened = await openWithUsers()
  await opened.ann.registerAgent({ agentName: 'x', email: 'ANN@Example.com' })
  assert.equal((await opened.ann.listAgents()).data.length, 1)
})

test('201: an admin gives any tier, any owner and any limits', async () => {
  await using opened = await openWithUsers()
  const { app, ann, admin } = opened
  const rateLimits = { rpm: 2, rpd: 3 }
  const input = { agentName: 'x', tier: 'enterprise', email: ANN, rateLimits } as const
  const { data } = await admin.registerAgent(input)
  assert.deepEqual(data.rateLimits, rateLimits)
  const [agent] = (await ann.listAgents()).data
  assert.equal(agent?.id, data.id)
  assert.equal(agent?.identityTier, 'admin_verified')
  const client = app.client({ apiKey: data.apiKey })
  await client.metadata()
  await client.metadata()
  await assert.rejects(client.metadata(), { code: 'rate_limited' })
  await admin.registerAgent({ agentName: 'own' })
  await app.runJob('deliver-mail')
  const mails = (await readMails(app.folder)).filter(({ raw }) => /registered the agent/.test(raw))
  assert.deepEqual(
    mails.map(({ to }) => to),
    [ANN],
    'the owner is told, and an admin is not about agents of their own',
  )
  assert.match(mails[0]?.raw ?? '', new RegExp(data.id))
})

test('201: a promotion keeps the owner; the old key is dead from the answer on', async () => {
  await using opened = await openWithUsers()
  const { app, ann, admin } = opened
  const old = await registerAgent(app, { email: ANN })
  const { data } = await admin.registerAgent({ agentName: 'x', tier: 'pro', replaces: old.id })
  await app.client({ apiKey: data.apiKey }).metadata()
  await assert.rejects(app.client({ apiKey: old.apiKey }).metadata(), { message: /revoked/ })
  assert.deepEqual(
    (await ann.listAgents()).data.map(({ id, tier, status }) => [id, tier, status]),
    [
      [data.id, 'pro', 'active'],
      [old.id, 'free', 'revoked'],
    ],
  )
})

test('404: of ten simultaneous promotions of one agent, one succeeds and makes one agent', async () => {
  await using opened = await openWithUsers()
  const { app, admin } = opened
  const old = await registerAgent(app, { email: ANN })
  const promote = () => admin.registerAgent({ agentName: 'x', tier: 'pro', replaces: old.id })
  const results = await Promise.allSettled(Array.from({ length: 10 }, promote))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) {
    if (result.status === 'rejected') assert.equal(result.reason.code, 'not_found')
  }
  assert.equal((await admin.listAgents({ all: true })).data.length, 2)
})

test('403: fields that only an admin may set are refused by name, and nothing is registered', async () => {
  await using opened = await openWithUsers()
  const { app, ann } = opened
  const own = await registerAgent(app, { email: ANN })
  const inputs = [
    [{ tier: 'pro' }, /pro/],
    [{ tier: 'enterprise' }, /enterprise/],
    [{ rateLimits: { rpm: 1, rpd: 1 } }, /rate limits/],
    [{ email: 'bob@example.com' }, /other e-mail/],
    [{ replaces: own.id }, /promote/],
    [{ replaces: 'agt_0000000000000000000000' }, /promote/],
  ] as const
  for (const [input, message] of inputs) {
    await assert.rejects(ann.registerAgent({ agentName: 'x', ...input }), { code: 'forbidden', message })
  }
  assert.deepEqual(
    (await ann.listAgents()).data.map(({ id, status }) => [id, status]),
    [[own.id, 'active']],
  )
})

test('when an agent is given to another owner, both owners are told', async () => {
  await using opened = await openWithUsers()
  const { app, admin } = opened
  const old = await registerAgent(app, { email: ANN })
  const input = { agentName: 'x', tier: 'pro', email: 'eve@example.net', replaces: old.id } as const
  const { data } = await admin.registerAgent(input)
  await app.runJob('deliver-mail')
  const mails = (await readMails(app.folder)).map(({ to, raw }) => ({
    to,
    text: raw.replaceAll(/=\r?\n/g, ''),
  }))
  const about = (id: string) => mails.filter(({ text }) => text.includes(id)).map(({ to }) => to)
  assert(mails.some(({ to, text }) => to === ANN && text.includes(`Your agent "yield-scout" (${old.id})`)))
  assert.deepEqual(about(data.id), ['eve@example.net'])
  assert(!about(old.id).includes('eve@example.net'), 'the new owner does not learn the old agent’s id')
})

test('404: an unknown id cannot be promoted', async () => {
  await using opened = await openWithUsers()
  const promotion = { agentName: 'x', tier: 'pro', replaces: 'agt_0000000000000000000000' } as const
  await assert.rejects(opened.admin.registerAgent(promotion), { code: 'not_found' })
})
