import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { ecKey, openKeyServer, rsaKey, signToken } from '../../support/services/oidc-issuer.ts'
import { openTestApp } from '../../support/test-app.ts'

const ISSUER = 'https://id.example.org/'
const AUDIENCE = 'stakewright-api'
const ANN = 'ann@example.com'
const ADMIN = 'root@example.com'
const key = ecKey('k1')

async function openWithIssuer() {
  await using opened = new AsyncDisposableStack()
  const keys = opened.use(await openKeyServer([key]))
  const env = { JWT_JWKS_URL: keys.url, JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, ADMIN_EMAILS: ADMIN }
  const app = opened.use(await openTestApp({ env }))
  const iat = app.clock.now() / 1_000
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'u1', iat, exp: iat + 600 }
  const clientOf = (more: object, by = key) => app.client({ token: signToken(by, { ...claims, ...more }) })
  const resources = opened.move()
  return { app, keys, clientOf, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('200: a token of the outside issuer manages the agents of its verified address', async () => {
  await using opened = await openWithIssuer()
  const { app, clientOf } = opened
  const { id } = await registerAgent(app, { email: ANN })
  const ann = clientOf({ email: 'Ann@Example.com', email_verified: true })
  assert.deepEqual(
    (await ann.listAgents()).data.map((agent) => agent.id),
    [id],
  )
  await ann.revokeAgent({ id })
})

test('200: an address that is not verified owns nothing', async () => {
  await using opened = await openWithIssuer()
  const { app, clientOf } = opened
  const { id } = await registerAgent(app, { email: ANN })
  for (const email_verified of [false, undefined, 'true', 1]) {
    const stranger = clientOf({ email: ANN, email_verified })
    assert.deepEqual((await stranger.listAgents()).data, [])
    await assert.rejects(stranger.revokeAgent({ id }), { code: 'not_found' })
  }
})

test('200: an admin by claim, or by verified address in ADMIN_EMAILS; similar claims make none', async () => {
  await using opened = await openWithIssuer()
  const { clientOf } = opened
  const admins = [{ role: 'admin' }, { email: ADMIN, email_verified: true }]
  const others = [
    { role: 'Admin' },
    { role: ['admin'] },
    { role: 'admin ' },
    { role: { admin: true } },
    { admin: true },
    { email: ADMIN },
    { email: `${ADMIN}.example.org`, email_verified: true },
  ]
  for (const claims of admins) await clientOf(claims).listAgents({ all: true })
  for (const claims of others) {
    const attempt = clientOf(claims).listAgents({ all: true })
    await assert.rejects(attempt, { code: 'forbidden' }, JSON.stringify(claims))
  }
})

test('200: mailed codes go on working beside an outside issuer', async () => {
  await using opened = await openWithIssuer()
  const { app } = opened
  await app.client({ token: await signIn(app, ADMIN) }).listAgents({ all: true })
})

test('401: another issuer’s, another audience’s and another key’s tokens', async () => {
  await using opened = await openWithIssuer()
  const { clientOf } = opened
  for (const claims of [{ iss: 'stakewright' }, { iss: ISSUER.slice(0, -1) }, { aud: 'other' }, { exp: 1 }]) {
    await assert.rejects(clientOf(claims).listAgents(), { code: 'unauthorized' }, JSON.stringify(claims))
  }
  await assert.rejects(clientOf({}, { ...ecKey('k1') }).listAgents(), { code: 'unauthorized' })
})

test('503: if a key of the issuer cannot be fetched, the token is not called wrong', async () => {
  await using opened = await openWithIssuer()
  const { app, keys, clientOf } = opened
  keys.serve((_request, response) => response.writeHead(500).end())
  app.clock.advance(31_000)
  await clientOf({}).listAgents()
  await assert.rejects(clientOf({}, rsaKey('unknown')).listAgents(), { status: 503 })
})
