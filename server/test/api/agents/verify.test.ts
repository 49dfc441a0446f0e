import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/durations.ts'
import { sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { mailedToken, registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const EMAIL = 'ann@example.com'

async function openPending() {
  const app = await openTestApp()
  const agent = await registerAgent(app, { email: EMAIL, isVerified: false })
  const token = await mailedToken(app, EMAIL)
  return { app, agent, token, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const works = (app: TestApp, apiKey: string) =>
  app
    .client({ apiKey })
    .metadata()
    .then(
      () => true,
      () => false,
    )

test('200: the link’s token activates the key', async () => {
  await using opened = await openPending()
  const { app, agent, token } = opened
  const { data } = await app.client().verifyEmail({ token })
  assert.deepEqual(data, {
    id: agent.id,
    status: 'active',
    tier: 'free',
    keyPrefix: agent.apiKey.slice(0, 12),
    verifiedAt: new Date(app.clock.now()).toISOString(),
  })
  assert(await works(app, agent.apiKey))
})

test('200: ten at once, and again for 24 hours: one activation, the same answer each time', async () => {
  await using opened = await openPending()
  const { app, token } = opened
  const verify = () => app.client().verifyEmail({ token })
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, verify))
  for (const other of others) assert.deepEqual(other, first)
  app.clock.advance(DAY_MS - 1)
  assert.deepEqual(await verify(), first)
})

test('200: no answer to the link may be cached or sent on as a referrer', async () => {
  await using opened = await openPending()
  const { app, token } = opened
  for (const path of ['/api/v1/agents/verify', '/verify']) {
    const { headers } = await sendRaw(app.url, `GET ${path}?token=${token}`)
    assert.equal(headers['cache-control'], 'no-store', path)
    assert.equal(headers['referrer-policy'], 'no-referrer', path)
  }
})

test('400: the link works to the last millisecond of its 24 hours, and not after', async () => {
  await using opened = await openPending()
  const { app, agent, token } = opened
  app.clock.advance(DAY_MS - 1)
  await app.client().verifyEmail({ token })
  app.clock.advance(1)
  await assert.rejects(app.client().verifyEmail({ token }), { code: 'invalid_input' })
  await app.runJob('watch-network')
  assert(await works(app, agent.apiKey))
})

test('400: unknown, mistyped and expired tokens get the same answer', async () => {
  await using opened = await openPending()
  const { app, token } = opened
  const flipped = token.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
  const refusal = async (text: string) => {
    const answer = await sendRaw(app.url, `GET /api/v1/agents/verify?token=${encodeURIComponent(text)}`)
    assert.equal(answer.status, 400)
    return withoutRequestId(answer)
  }
  const unknown = await refusal(flipped)
  for (const garbage of ['x', '', token.slice(1), `${token}0`, '💥', "' or 1=1 --", token.toUpperCase()]) {
    assert.equal(await refusal(garbage), unknown, garbage)
  }
  app.clock.advance(DAY_MS)
  assert.equal(await refusal(token), unknown)
})

test('400: a request without a token says what is missing; one with two is refused', async () => {
  await using opened = await openPending()
  const { app, agent, token } = opened
  const without = await sendRaw(app.url, 'GET /api/v1/agents/verify')
  assert.equal(without.status, 400)
  assert.equal(JSON.parse(without.text).details[0].field, 'token')
  const twice = await sendRaw(app.url, `GET /api/v1/agents/verify?token=${token}&token=${token}`)
  assert.equal(twice.status, 400)
  assert(!(await works(app, agent.apiKey)))
})

test('204, 200, 400, 405: HEAD, prefetches and other calls by robots activate nothing', async () => {
  await using opened = await openPending()
  const { app, agent, token } = opened
  const link = `/api/v1/agents/verify?token=${token}`
  const attempts: readonly (readonly [number, string, readonly string[]])[] = [
    [200, `HEAD ${link}`, []],
    [204, `OPTIONS ${link}`, []],
    [405, `POST ${link}`, []],
    [405, `PUT ${link}`, []],
    [400, `GET ${link}`, ['Sec-Purpose', 'prefetch']],
    [400, `GET ${link}`, ['Sec-Purpose', 'prefetch;prerender']],
    [400, `GET ${link}`, ['Purpose', 'prefetch']],
    [200, `GET /verify?token=${token}`, []],
    [200, `HEAD /verify?token=${token}`, []],
    [200, `GET /verify?token=${token}`, ['User-Agent', 'Mozilla/5.0 (compatible; BingPreview/1.0b)']],
  ]
  for (const [status, target, headers] of attempts) {
    const answer = await sendRaw(app.url, target, { headers })
    assert.equal(answer.status, status, `${target} ${headers}`)
    assert(!(await works(app, agent.apiKey)), `${target} ${headers}`)
  }
  await app.client().verifyEmail({ token })
})

test('400: the token of a revoked agent does not activate it', async () => {
  await using app = await openTestApp()

  const agent = await registerAgent(app, { email: EMAIL, isVerified: false })
  const token = await mailedToken(app, EMAIL)
  const owner = app.client({ token: await signIn(app, EMAIL) })
  await owner.revokeAgent({ id: agent.id })
  await assert.rejects(app.client().verifyEmail({ token }), { code: 'invalid_input' })
  await assert.rejects(app.client({ apiKey: agent.apiKey }).metadata(), { message: /revoked/ })
})
