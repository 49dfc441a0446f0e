import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../src/durations.ts'
import { sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { registerAgent } from '../../support/registered-agent.ts'
import { codeOf, longCodeOf, newestMail, readMails } from '../../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

/** After each attack by a stranger the owner must get a mail, a right code and a token as before. */

const OWNER = 'victim@example.com'
const HOME = '198.51.100.7'
const network = (number: number) => `2001:db8:0:${number.toString(16)}::1`

const openProxied = (env: Record<string, string> = {}) =>
  openTestApp({ env: { TRUST_PROXY_HOPS: '1', ...env } })

const post = (app: TestApp, path: string, from: string, json: unknown) =>
  sendRaw(app.url, `POST ${path}`, { headers: ['X-Forwarded-For', from], json })

const askCode = (app: TestApp, email: string, from = HOME) => post(app, '/api/v1/auth/code', from, { email })

const redeem = async (app: TestApp, code: string, from = HOME, email = OWNER) =>
  (await post(app, '/api/v1/auth/token', from, { email, code })).status

async function mails(app: TestApp, to = OWNER) {
  await app.runJob('deliver-mail')
  return (await readMails(app.folder)).filter((mail) => mail.to === to)
}

/** Asks for a code from the network; the mail that arrives must have one that works there. */
async function signInFrom(app: TestApp, from = HOME, email = OWNER): Promise<void> {
  const before = (await mails(app, email)).length
  assert.equal((await askCode(app, email, from)).status, 202)
  assert.equal((await mails(app, email)).length, before + 1, 'a mail arrives')
  assert.equal(await redeem(app, codeOf(await newestMail(app.folder, email)), from, email), 200)
}

const wrongFor = (code: string, number: number) =>
  String((Number(code) + 1 + number) % 1_000_000).padStart(6, '0')

test('wrong codes from other networks, few or many, leave the right code valid', async () => {
  for (const networks of [1, 40]) {
    await using app = await openProxied()
    await askCode(app, OWNER)
    await mails(app)
    const code = codeOf(await newestMail(app.folder, OWNER))
    for (let number = 0; number < networks * 5; number += 1)
      assert.equal(await redeem(app, wrongFor(code, number), network(number % networks)), 401)
    assert.equal(await redeem(app, code), 200)
  }
})

test('five wrong codes from the owner’s own network leave the long code valid, however it is typed', async () => {
  await using app = await openProxied()
  await askCode(app, OWNER)
  await mails(app)
  const mail = await newestMail(app.folder, OWNER)
  const code = codeOf(mail)
  for (let number = 0; number < 5; number += 1) await redeem(app, wrongFor(code, number))
  assert.equal(await redeem(app, code), 401)
  assert.equal(await redeem(app, longCodeOf(mail).toLowerCase().replaceAll('-', ' ')), 200)
  assert.equal(await redeem(app, longCodeOf(mail)), 401)
})

test('code requests for tagged spellings of the address take no mail from it', async () => {
  await using app = await openProxied()
  for (let number = 0; number < 12; number += 1)
    assert.equal((await askCode(app, `victim+${number}@example.com`, network(number))).status, 202)
  await signInFrom(app)
})

test('self-registrations and resent links with the address take no code mail from it', async () => {
  await using app = await openProxied()
  for (let number = 0; number < 12; number += 1) {
    const registration = { email: OWNER, agentName: 'x' }
    const answer = await post(app, '/api/v1/agents/self-register', network(number), registration)
    assert.equal(answer.status, 201)
    await post(app, '/api/v1/agents/verify/resend', network(number), { email: OWNER })
  }
  await signInFrom(app)
})

test('three registrations from one network use up no links of other networks', async () => {
  await using app = await openProxied()
  const register = (from: string) =>
    post(app, '/api/v1/agents/self-register', from, { email: OWNER, agentName: 'x' })
  for (let number = 0; number < 3; number += 1) await register(network(1))
  await post(app, '/api/v1/agents/verify/resend', network(1), { email: OWNER })
  assert.equal((await mails(app)).length, 3)
  await register(HOME)
  assert.equal((await mails(app)).length, 4)
})

test('forty networks that ask for codes use up the day of strangers, not of owners and admins', async () => {
  await using app = await openProxied({ ADMIN_EMAILS: 'root@example.com', LIMIT_REGISTER_IP_HOUR: '3' })
  await registerAgent(app, { email: OWNER })
  await signInFrom(app, HOME, 'signed-in@example.com')
  for (const round of [1, 2, 3]) {
    const asked = Array.from({ length: 40 }, (_, number) =>
      askCode(app, `stranger-${round}-${number}@example.com`, network(number)),
    )
    for (const { status } of await Promise.all(asked)) assert.equal(status, 202)
  }
  // A stranger gets the same answer, and no mail.
  const unknown = await askCode(app, 'one-more@example.com', network(50))
  assert.equal(unknown.status, 202)
  assert.equal((await mails(app, 'one-more@example.com')).length, 0)
  for (const email of [OWNER, 'signed-in@example.com', 'root@example.com'])
    await signInFrom(app, network(60 + email.length), email)
})

test('many networks that ask for the owner’s codes for a day leave a working one in the mailbox, and no flood', async () => {
  await using app = await openProxied()
  await registerAgent(app, { email: OWNER })
  const before = (await mails(app)).length
  for (let round = 0; round < 16; round += 1) {
    for (let number = 0; number < 8; number += 1) await askCode(app, OWNER, network(round * 8 + number))
    await mails(app)
    app.clock.advance(1.5 * HOUR_MS)
  }
  assert.equal((await mails(app)).length - before, 5 + 7)
  await askCode(app, OWNER)
  const mail = await newestMail(app.folder, OWNER)
  // The owner did not ask for it, and must not be told to throw it away.
  assert.match(mail.raw.replace(/=\r?\n/g, ''), /Keep this mail for 6 hours/)
  assert.equal(await redeem(app, longCodeOf(mail)), 200)
  await signInFrom(app)
})

test('a network from which the owner has signed in gets its mail however many others ask', async () => {
  await using app = await openProxied()
  await signInFrom(app)
  for (let number = 0; number < 40; number += 1) await askCode(app, OWNER, network(number))
  await signInFrom(app)
})

test('the network where a link was used counts as the owner’s', async () => {
  await using app = await openProxied()
  await post(app, '/api/v1/agents/self-register', HOME, { email: OWNER, agentName: 'x' })
  const [mail] = await mails(app)
  const token = /token=([0-9a-f]{64})/.exec(mail?.raw ?? '')?.[1]
  await sendRaw(app.url, `GET /api/v1/agents/verify?token=${token}`, { headers: ['X-Forwarded-For', HOME] })
  for (let number = 0; number < 40; number += 1) await askCode(app, OWNER, network(number))
  await signInFrom(app)
})

test('a stranger in the owner’s network who uses up its code requests keeps the owner from no mail and no sign-in', async () => {
  await using app = await openProxied()
  await registerAgent(app, { email: OWNER })
  await signInFrom(app)
  for (const number of [1, 2, 3, 4]) await askCode(app, `stranger-${number}@example.com`)
  // The owner signs in again and again, as an admin must who changes things.
  for (let count = 0; count < 5; count += 1) {
    const before = (await mails(app)).length
    const [owner, unknown] = [await askCode(app, OWNER), await askCode(app, 'nobody@example.com')]
    assert.equal(owner.status, 429)
    assert.equal(
      withoutRequestId(owner),
      withoutRequestId(unknown),
      'the refusal does not show which address is known',
    )
    assert.equal((await mails(app)).length, before + 1)
    assert.equal(await redeem(app, codeOf(await newestMail(app.folder, OWNER))), 200)
  }
  assert.deepEqual(await mails(app, 'nobody@example.com'), [])
})

test('a stranger in the owner’s own network cannot fill the mailbox, and a right code stays in it', async () => {
  await using app = await openProxied()
  await registerAgent(app, { email: OWNER })
  await signInFrom(app)
  const before = (await mails(app)).length
  for (let hour = 0; hour < 12; hour += 1) {
    for (let count = 0; count < 8; count += 1) await askCode(app, OWNER)
    app.clock.advance(HOUR_MS)
  }
  const sent = (await mails(app)).slice(before)
  assert(sent.length <= 10 + 24 / 3, `${sent.length} mails`)
  assert.equal(await redeem(app, longCodeOf(await newestMail(app.folder, OWNER))), 200)
})
