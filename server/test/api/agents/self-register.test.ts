import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw } from '../../support/raw-request.ts'
import { mailedToken, registerAgent } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'

const TARGET = 'POST /api/v1/agents/self-register'
const ANN = { email: 'ann@example.com', agentName: 'yield-scout' }

test('201: a free key, shown once, that does not work until the mailed link is used', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const { success, data } = await client.selfRegister(ANN)
  assert.equal(client.last?.status, 201)
  assert.equal(success, true)
  assert.match(data.id, /^agt_[0-9A-Za-z]{22}$/)
  assert.match(data.apiKey, /^stk_[0-9A-Za-z]{46}$/)
  assert.equal(data.keyPrefix, data.apiKey.slice(0, 12))
  assert.equal(data.tier, 'free')
  assert.equal(data.status, 'pending_verification')
  assert.deepEqual(data.rateLimits, { rpm: 10, rpd: 100 })
  assert.deepEqual(data.permissions, ['read'])
  assert.match(data.warning, /Store this key.*link in the mail/)
  await assert.rejects(app.client({ apiKey: data.apiKey }).metadata(), { code: 'unauthorized' })
})

test('201: the prefix of keys is the operator’s choice', async () => {
  await using app = await openTestApp({ env: { KEY_PREFIX: 'acme' } })
  const { apiKey } = await registerAgent(app)
  assert.match(apiKey, /^acme_[0-9A-Za-z]{46}$/)
  await app.client({ apiKey }).metadata()
})

test('201: the answer is the same whether or not the address is known, and old agents stay as they are', async () => {
  await using app = await openTestApp()
  const first = await registerAgent(app, ANN)
  const known = await app.client().selfRegister(ANN)
  const unknown = await app.client().selfRegister({ ...ANN, email: 'bob@example.com' })
  const constant = ({ data: { id, apiKey, keyPrefix, ...rest } }: typeof known) => rest
  assert.deepEqual(constant(known), constant(unknown))
  await app.client({ apiKey: first.apiKey }).metadata()
})

test('201: an address gets three mails a day at most, and the answer does not show that', async () => {
  await using app = await openTestApp({ env: { LIMIT_REGISTER_IP_HOUR: '10' } })
  const spellings = ['ann@gmail.com', 'a.n.n@gmail.com', 'ANN+x@googlemail.com', 'an.n@gmail.com']
  for (const email of spellings) await app.client().selfRegister({ email, agentName: 'x' })
  await mailedToken(app, 'ann+x@googlemail.com')
  const mails = await readMails(app.folder)
  assert.deepEqual(
    mails.map(({ to }) => to),
    ['ann@gmail.com', 'a.n.n@gmail.com', 'ann+x@googlemail.com'],
  )
})

test('201: the mail has a text and an HTML part, and nothing of the agent’s name', async () => {
  await using app = await openTestApp({ env: { PUBLIC_URL: 'https://stake.example/api/' } })
  await app.client().selfRegister({ ...ANN, agentName: '<b>Click</b> http://evil.example' })
  const token = await mailedToken(app, ANN.email)
  const [mail] = await readMails(app.folder)
  assert.match(mail?.raw ?? '', /Content-Type: text\/plain/)
  assert.match(mail?.raw ?? '', /Content-Type: text\/html/)
  assert(mail?.raw.includes(`https://stake.example/api/verify?token=${token}`))
  assert(!/evil|Click/.test(mail?.raw ?? ''))
})

test('201: without a PUBLIC_URL the link leads to where the service listens, whichever port it got', async () => {
  for (const [HOST, start] of [
    ['127.0.0.1', 'http://127.0.0.1:'],
    ['0.0.0.0', 'http://localhost:'],
  ] as const) {
    await using app = await openTestApp({ env: { HOST } })
    const { port } = new URL(app.url)
    await app.client().selfRegister(ANN)
    const token = await mailedToken(app, ANN.email)
    const [mail] = await readMails(app.folder)
    assert(mail?.raw.includes(`${start}${port}/verify?token=${token}`), mail?.raw ?? 'no mail')
  }
})

test('400: every wrong field is named, with what it must be', async () => {
  await using app = await openTestApp()
  const wrong = { email: 'ann@example.com\r\nBcc: x@example.com', agentName: ' ', agentType: 'cat', x: 1 }
  const answer = await sendRaw(app.url, TARGET, { json: wrong })
  assert.equal(answer.status, 400)
  const { details } = JSON.parse(answer.text)
  assert.deepEqual(
    details.map(({ field }: { field: string }) => field),
    ['email', 'agentName', 'agentType', 'x'],
  )
})

test('400: addresses that only a mail server could interpret', async () => {
  await using app = await openTestApp()
  const addresses = [
    '"ann x"@example.com',
    'ann@[127.0.0.1]',
    'ann@localhost',
    'ann@example.com,bob@example.com',
    'ann@example.com>',
    'ann\u0000@example.com',
    'änn@example.com',
    `${'a'.repeat(65)}@example.com`,
  ]
  for (const email of addresses) {
    await assert.rejects(app.client().selfRegister({ ...ANN, email }), { code: 'invalid_input' }, email)
  }
  assert.deepEqual(await readMails(app.folder), [])
})

test('400: names that would not be displayed as they were sent', async () => {
  await using app = await openTestApp()
  for (const agentName of ['', 'x'.repeat(65), 'a\nb', 'a\u202eb', ' a', 'a\u0000']) {
    await assert.rejects(app.client().selfRegister({ ...ANN, agentName }), { code: 'invalid_input' })
  }
})
