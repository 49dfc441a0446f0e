import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'

test('200: the profile of an agent without requests has all fields, with zeros', async () => {
  await using app = await openTestApp()
  const { id } = await registerAgent(app, { email: ANN, agentName: 'scout', isVerified: false })
  const { data } = await app.client({ token: await signIn(app, ANN) }).agentProfile({ id })
  assert.deepEqual(data, {
    agentName: 'scout',
    agentType: 'other',
    identityTier: 'unverified',
    avgDailyQueries: 0,
    termShoppingCount: 0,
    underwritingCount: 0,
    policyCheckCount: 0,
    riskAwarenessScore: 0,
    toolBreakdown: {},
    periodDays: 30,
  })
})

test('200: the identity tier says how the owner was established', async () => {
  await using app = await openTestApp({ env: { ADMIN_EMAILS: 'root@example.com' } })
  const verified = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const linked = await ann.registerAgent({ agentName: 'x' })
  const given = await admin.registerAgent({ agentName: 'x', email: ANN })
  const identityOf = async (id: string) => (await ann.agentProfile({ id })).data.identityTier
  assert.equal(await identityOf(verified.id), 'email_verified')
  assert.equal(await identityOf(linked.data.id), 'user_linked')
  assert.equal(await identityOf(given.data.id), 'admin_verified')
})

test('200: a request is in the profile as soon as it is answered', async () => {
  await using app = await openTestApp()
  const { id, apiKey } = await registerAgent(app, { email: ANN })
  const agent = app.client({ apiKey })
  await agent.metadata()
  await agent.scoredValidators()
  await agent.allocate({ amount: '5000000000' })
  const { data } = await app.client({ token: await signIn(app, ANN) }).agentProfile({ id })
  assert.equal(data.policyCheckCount, 1)
  assert.equal(data.termShoppingCount, 1)
  assert.equal(data.underwritingCount, 1)
  assert.equal(data.avgDailyQueries, 3)
})
