import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { mailedCode, registerAgent, signIn } from '../../support/registered-agent.ts'
import { longCodeOf, readMails } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'

const EMAIL = 'ann@example.com'
const ONE_SECRET = { JWT_SECRET: 'one secret of these tests, long enough' }
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const claimsOf = (token: string) => JSON.parse(atob(token.split('.')[1] ?? ''))

test('202, 200: a mailed code is exchanged for a token with its subject, issuer, audience and end', async () => {
  await using app = await openTestApp({ env: { JWT_ISSUER: 'here', JWT_AUDIENCE: 'there' } })
  await app.client().requestCode({ email: 'Ann@Example.com' })
  const code = await mailedCode(app, EMAIL)
  const { data } = await app.client().exchangeCode({ email: EMAIL, code })
  assert.equal(data.tokenType, 'Bearer')
  assert.equal(data.expiresIn, 86_400)
  const iat = app.clock.now() / 1_000
  const { sid, ...claims } = claimsOf(data.accessToken)
  assert.deepEqual(claims, {
    email: EMAIL,
    role: 'user',
    sub: EMAIL,
    iss: 'here',
    aud: 'there',
    iat,
    exp: iat + 86_400,
  })
  const [session] = (await app.client({ token: data.accessToken }).listSessions()).data
  assert.equal(sid, session?.id)
})

test('200: an address of ADMIN_EMAILS gets an admin’s token, in any spelling', async () => {
  await using app = await openTestApp({ env: { ADMIN_EMAILS: 'Root@example.com' } })
  assert.equal(claimsOf(await signIn(app, 'ROOT@example.com')).role, 'admin')
  assert.equal(claimsOf(await signIn(app, 'root@example.com.evil.example')).role, 'user')
})

test('202: the same answer for a known, an unknown and a flooded address', async () => {
  await using app = await openTestApp({ env: { LIMIT_REGISTER_IP_HOUR: '20', LIMIT_REGISTER_IP_DAY: '20' } })
  await registerAgent(app, { email: EMAIL })
  const answers = new Set<string>()
  const flooded = 'flooded@example.com'
  for (const email of [EMAIL, ...Array<string>(8).fill(flooded), 'unknown@example.com']) {
    const answer = await sendRaw(app.url, 'POST /api/v1/auth/code', { json: { email } })
    assert.equal(answer.status, 202)
    answers.add(withoutRequestId(answer))
  }
  assert.equal(answers.size, 1)
  await mailedCode(app, 'unknown@example.com')
  const mails = (await readMails(app.folder)).filter(({ to }) => to === flooded)
  assert.equal(mails.length, 5)
})

test('202, 401: without another mail the answers point to the long code of an earlier mail of which no code was used, and it works', async () => {
  const env = { LIMIT_REGISTER_IP_HOUR: '20', LIMIT_REGISTER_IP_DAY: '20', TRUST_PROXY_HOPS: '1' }
  await using app = await openTestApp({ env })
  const request = () => sendRaw(app.url, 'POST /api/v1/auth/code', { json: { email: EMAIL } })
  // From another network: that of the requests stays unfamiliar.
  const headers = ['X-Forwarded-For', '198.51.100.1']
  const exchange = (code: string) =>
    sendRaw(app.url, 'POST /api/v1/auth/token', { json: { email: EMAIL, code }, headers })
  for (let asked = 0; asked < 5; asked += 1) await request()
  await mailedCode(app, EMAIL)
  const mails = await readMails(app.folder)
  assert.equal(mails.length, 5)
  const [earlier, newest] = [
    longCodeOf(mails.at(-2) ?? assert.fail()),
    longCodeOf(mails.at(-1) ?? assert.fail()),
  ]
  assert.equal((await exchange(newest)).status, 200)
  const asked = await request()
  await app.runJob('deliver-mail')
  assert.equal((await readMails(app.folder)).length, mails.length, 'no mail is added')
  assert.match(asked.text, /the long code of an earlier mail.* until a code of that mail is used/)
  const refused = await exchange(newest)
  assert.equal(refused.status, 401)
  assert.match(refused.text, /the long code of the same mail if neither of its codes was used/)
  assert.equal((await exchange(earlier)).status, 200)
})

test('401: a code works once', async () => {
  await using app = await openTestApp()
  await app.client().requestCode({ email: EMAIL })
  const code = await mailedCode(app, EMAIL)
  const attempts = Array.from({ length: 5 }, () => app.client().exchangeCode({ email: EMAIL, code }))
  const results = await Promise.allSettled(attempts)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('401: a code is good for ten minutes, to the second', async () => {
  await using app = await openTestApp()
  const [ann, bob] = ['ann@example.com', 'bob@example.com']
  for (const email of [ann, bob]) await app.client().requestCode({ email })
  const [early, late] = [await mailedCode(app, ann), await mailedCode(app, bob)]
  app.clock.advance(599_999)
  await app.client().exchangeCode({ email: ann, code: early })
  app.clock.advance(1)
  await assert.rejects(app.client().exchangeCode({ email: bob, code: late }), { code: 'unauthorized' })
})

test('401: after five simultaneous wrong tries from one network the right code is refused there', async () => {
  await using app = await openTestApp()
  await app.client().requestCode({ email: EMAIL })
  const code = await mailedCode(app, EMAIL)
  const wrong = { email: EMAIL, code: otherThan(code) }
  const tries = Array.from({ length: 5 }, () => app.client().exchangeCode(wrong))
  for (const { status } of await Promise.allSettled(tries)) assert.equal(status, 'rejected')
  await assert.rejects(app.client().exchangeCode({ email: EMAIL, code }), { code: 'unauthorized' })
})

test('401: the same refusal for a wrong code, another’s code, and an address that never asked', async () => {
  await using app = await openTestApp()
  await app.client().requestCode({ email: EMAIL })
  const code = await mailedCode(app, EMAIL)
  const refusal = async (json: { email: string; code: string }) => {
    const answer = await sendRaw(app.url, 'POST /api/v1/auth/token', { json })
    assert.equal(answer.status, 401)
    return withoutRequestId(answer)
  }
  const wrong = await refusal({ email: EMAIL, code: otherThan(code) })
  assert.equal(await refusal({ email: 'bob@example.com', code }), wrong)
})

test('401: a token ends with its day', async () => {
  await using app = await openTestApp()
  const token = await signIn(app, EMAIL)
  app.clock.advance(86_400_000 - 1_000)
  await app.client({ token }).listAgents()
  app.clock.advance(32_000)
  await assert.rejects(app.client({ token }).listAgents(), { code: 'unauthorized' })
})

test('401: after a restart with another JWT_SECRET, an earlier token is refused, and with the old one it works', async () => {
  await using first = await openTestApp({ env: ONE_SECRET })
  const token = await signIn(first, EMAIL)
  await first.stop()
  const { folder, clock } = first
  for (const [env, isAccepted] of [
    [{ JWT_SECRET: 'another secret of these tests, long enough' }, false],
    [ONE_SECRET, true],
  ] as const) {
    const app = await openTestApp({ folder, clock, env })
    const called = app.client({ token }).listAgents()
    if (isAccepted) await called
    else await assert.rejects(called, { code: 'unauthorized' })
    await app.stop()
  }
})

test('400: a malformed code', async () => {
  await using app = await openTestApp()
  for (const code of ['', '12345', '1234567', '12345x', '１２３４５６']) {
    await assert.rejects(app.client().exchangeCode({ email: EMAIL, code }), { code: 'invalid_input' }, code)
  }
})

test('429: codes are limited like registrations, and counted apart from them', async () => {
  await using app = await openTestApp()
  const ask = (index: number) => app.client().requestCode({ email: `a${index}@example.com` })
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(ask))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
  await assert.rejects(ask(6), { code: 'rate_limited', status: 429, retryAfterSeconds: 3_600 })
  await registerAgent(app)
  app.clock.advance(3_600_000)
  await ask(7)
})
