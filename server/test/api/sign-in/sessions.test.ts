import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../../src/durations.ts'
import { ADMIN } from '../../support/builder-agent.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ROOT = 'root@example.com'
const REFUSED = { code: 'unauthorized' }
/** The details by which the console knows that its session has ended. */
const TOKEN_REFUSED = {
  ...REFUSED,
  details: [{ field: 'Authorization', message: 'is not a valid user token, or it has expired' }],
}

test('200: a user sees their own sessions, and which of them is the current one', async () => {
  await using app = await openTestApp()
  const first = app.client({ token: await signIn(app, ANN) })
  app.clock.advance(MINUTE_MS)
  const second = app.client({ token: await signIn(app, ANN) })
  await signIn(app, 'bob@example.com')
  const seen = (await second.listSessions()).data
  assert.deepEqual(
    seen.map(({ isCurrent, ip }) => [isCurrent, ip]),
    [
      [true, '127.0.0.0'],
      [false, '127.0.0.0'],
    ],
  )
  const ofFirst = (await first.listSessions()).data.find(({ isCurrent }) => isCurrent)
  assert.equal(ofFirst?.id, seen[1]?.id)
  assert.equal(seen[0]?.createdAt, new Date(app.clock.now()).toISOString())
})

test('200: the token of an ended session is refused from the answer on, and no other', async () => {
  await using app = await openTestApp()
  const stolen = app.client({ token: await signIn(app, ANN) })
  app.clock.advance(1)
  const ann = app.client({ token: await signIn(app, ANN) })
  const other = (await ann.listSessions()).data.find(({ isCurrent }) => !isCurrent)
  assert(other)
  await ann.endSession({ id: other.id })
  await assert.rejects(stolen.listAgents(), TOKEN_REFUSED)
  await ann.listAgents()
  await assert.rejects(ann.endSession({ id: other.id }), { code: 'not_found' })
})

test('401: the refusal of a wrong code differs from that of an ended session', async () => {
  await using app = await openTestApp()
  const ann = app.client({ token: await signIn(app, ANN) })
  await assert.rejects(ann.exchangeCode({ email: ANN, code: '000000' }), { ...REFUSED, details: [] })
  await ann.listAgents()
})

test('200: ending the current session signs out', async () => {
  await using app = await openTestApp()
  const ann = app.client({ token: await signIn(app, ANN) })
  const [session] = (await ann.listSessions()).data
  await ann.endSession({ id: session?.id ?? '' })
  await assert.rejects(ann.listSessions(), REFUSED)
})

test('404: sessions of others are answered as missing', async () => {
  await using app = await openTestApp()
  const ann = app.client({ token: await signIn(app, ANN) })
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  const [session] = (await ann.listSessions()).data
  await assert.rejects(bob.endSession({ id: session?.id ?? '' }), { code: 'not_found' })
  await ann.listSessions()
})

test('a demoted admin loses the role at once, even with an earlier token', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const token = await signIn(app, ROOT)
  await app.client({ token }).listAgents({ all: true })
  await app.stop()
  await using demoted = await openTestApp({ folder: app.folder, clock: app.clock })
  await assert.rejects(demoted.client({ token }).listAgents({ all: true }), { code: 'forbidden' })
  await demoted.client({ token }).listAgents()
})

test('403: an admin changes things within 15 minutes of the sign-in, and reads for longer', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const agent = await registerAgent(app, { email: ANN })
  const root = app.client({ token: await signIn(app, ROOT) })
  const suspend = () => root.updateAgent({ id: agent.id, status: 'suspended' })
  app.clock.advance(15 * MINUTE_MS - 1_000)
  await suspend()
  app.clock.advance(1_000)
  await assert.rejects(suspend(), { code: 'forbidden', message: /Sign in again/, fix: /Sign in again/ })
  await assert.rejects(root.revokeAgent({ id: agent.id }), { code: 'forbidden' })
  await root.listAgents({ all: true })
  const again = app.client({ token: await signIn(app, ROOT) })
  await again.updateAgent({ id: agent.id, status: 'active' })
})

test('a user who is no admin needs no fresh sign-in to end a key', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  app.clock.advance(60 * MINUTE_MS)
  await ann.revokeAgent({ id: agent.id })
})

test('200: a thief who uses up the quota of a user does not keep the owner from stopping him', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  const agent = await registerAgent(app, { email: ANN })
  const thief = app.client({ token: await signIn(app, ANN) })
  const ann = app.client({ token: await signIn(app, ANN) })
  const spend = async () => {
    for (;;) await thief.agentProfile({ id: agent.id })
  }
  await assert.rejects(spend(), { code: 'rate_limited' })
  await assert.rejects(ann.agentProfile({ id: agent.id }), { code: 'rate_limited' })
  const { data } = await ann.listSessions()
  for (const { id, isCurrent } of data) if (!isCurrent) await ann.endSession({ id })
  await assert.rejects(thief.listSessions(), { code: 'unauthorized' })
  const [own] = (await ann.listAgents()).data
  assert.equal((await ann.readAgent({ id: agent.id })).data.status, 'active')
  await ann.revokeAgent({ id: own?.id ?? '' })
  await assert.rejects(app.client({ apiKey: agent.apiKey }).usage(), { code: 'unauthorized' })
})
