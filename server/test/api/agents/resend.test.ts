import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/durations.ts'
import { sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { mailedToken, registerAgent } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'

const TARGET = 'POST /api/v1/agents/verify/resend'
const EMAIL = 'ann@example.com'

test('202: a new link works for its own 24 hours, and the old one expires as before', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app, { email: EMAIL, isVerified: false })
  const first = await mailedToken(app, EMAIL)
  app.clock.advance(DAY_MS - 1)
  await app.client().resendVerification({ email: 'ANN@example.com' })
  const second = await mailedToken(app, EMAIL)
  assert.notEqual(second, first)
  app.clock.advance(DAY_MS - 1)
  await assert.rejects(app.client().verifyEmail({ token: first }), { code: 'invalid_input' })
  await app.client().verifyEmail({ token: second })
  await app.runJob('watch-network')
  await app.client({ apiKey }).metadata()
})

test('202: the same answer for an unknown, a pending and a verified address; only the pending one gets a mail', async () => {
  await using app = await openTestApp()
  await registerAgent(app, { email: 'verified@example.com' })
  await registerAgent(app, { email: 'pending@example.com', isVerified: false })
  const answers: string[] = []
  for (const name of ['unknown', 'pending', 'verified']) {
    const answer = await sendRaw(app.url, TARGET, { json: { email: `${name}@example.com` } })
    assert.equal(answer.status, 202)
    answers.push(withoutRequestId(answer))
  }
  assert.equal(new Set(answers).size, 1)
  await mailedToken(app, 'pending@example.com')
  const addresses = (await readMails(app.folder)).map(({ to }) => to)
  assert.deepEqual(addresses.sort(), ['pending@example.com', 'pending@example.com', 'verified@example.com'])
})

test('202: at most three mails a day, however often somebody asks', async () => {
  await using app = await openTestApp()
  await registerAgent(app, { email: EMAIL, isVerified: false })
  for (let round = 0; round < 6; round += 1) await app.client().resendVerification({ email: EMAIL })
  await mailedToken(app, EMAIL)
  assert.equal((await readMails(app.folder)).length, 3)
})

test('202: no mail is sent for an agent whose time is over, and it stays expired', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app, { email: EMAIL, isVerified: false })
  app.clock.advance(DAY_MS)
  await app.client().resendVerification({ email: EMAIL })
  await app.runJob('deliver-mail')
  // The mail of the registration, whose link has expired meanwhile, is dropped, too.
  assert.deepEqual(await readMails(app.folder), [])
  await app.runJob('watch-network')
  await assert.rejects(app.client({ apiKey }).metadata(), { code: 'unauthorized' })
})

test('400: an invalid address', async () => {
  await using app = await openTestApp()
  await assert.rejects(app.client().resendVerification({ email: 'ann' }), { code: 'invalid_input' })
})
