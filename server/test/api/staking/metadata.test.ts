import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const PATH = '/api/v1/staking/agent/metadata'

test('200: a verified key reads the network’s constants, under either header', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  const metadata = await app.client({ apiKey }).metadata()
  assert.equal(metadata.minStakeAmount, '1000000000')
  assert.equal(metadata.decimals, 9)
  const bearer = await fetch(app.url + PATH, { headers: { authorization: `Bearer ${apiKey}` } })
  assert.equal(bearer.status, 200)
  assert.deepEqual(await bearer.json(), metadata)
})

test('200: each answer has the remainder of the minute and of the day', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  const client = app.client({ apiKey })
  for (const left of [9, 8, 7]) {
    await client.metadata()
    const { rateLimit } = client.last ?? {}
    assert.equal(rateLimit?.remaining, left)
    assert.equal(rateLimit?.remainingMinute, left)
    assert.equal(rateLimit?.remainingDay, left + 90)
    assert.equal(rateLimit?.limitMinute, 10)
    assert.equal(rateLimit?.limitDay, 100)
    assert.equal(rateLimit?.resetAt.getTime(), app.clock.now() + 60_000)
  }
})

test('401: without a key there are no data, and the refusal says where to get one', async () => {
  await using app = await openTestApp()
  await assert.rejects(app.client().metadata(), {
    code: 'unauthorized',
    message: /POST \/api\/v1\/sandbox\/keys/,
  })
})

test('401: the refusal of an unverified key says so, because its secret is right', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app, { isVerified: false })
  await assert.rejects(app.client({ apiKey }).metadata(), {
    code: 'unauthorized',
    message: /not verified yet/,
  })
})

test('401: a key whose link was not used within a day has expired, to the second', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app, { isVerified: false })
  app.clock.advance(86_399_000)
  await app.runJob('watch-network')
  await assert.rejects(app.client({ apiKey }).metadata(), { message: /not verified yet/ })
  app.clock.advance(1_000)
  await assert.rejects(app.client({ apiKey }).metadata(), { message: /expired/ })
})
