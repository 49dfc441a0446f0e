import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { ENDPOINTS, type EndpointName, type EndpointSpec, effectOf, ROUTES } from '@stakewright/contract'
import { DAY_MS } from '../../../src/durations.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { mailedToken, registerAgent, signIn } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ONCE = { idempotencyKey: 'deploy-7' }

async function openWithAgent() {
  const app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  return { app, agent, ann, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** The answer to a repeat: the prefix in place of the key, and another warning. */
const repeated = <T extends { readonly keyPrefix: string }>(data: T) => ({
  ...data,
  apiKey: `${data.keyPrefix}…`,
  warning: /repeat/,
})

function assertRepeats(answer: { readonly warning: string }, first: { readonly keyPrefix: string }): void {
  const { warning, ...expected } = repeated(first)
  const { warning: received, ...data } = answer
  assert.deepEqual(data, expected)
  assert.match(received, warning)
}

test('201: a repeated registration makes no second agent, and shows no key twice', async () => {
  await using opened = await openWithAgent()
  const { ann } = opened
  const { data } = await ann.registerAgent({ agentName: 'once' }, ONCE)
  assert.equal(ann.last?.headers.get('idempotent-replayed'), null)
  const again = await ann.registerAgent({ agentName: 'once' }, ONCE)
  assertRepeats(again.data, data)
  assert.equal(ann.last?.headers.get('idempotent-replayed'), 'true')
  const names = (await ann.listAgents()).data.map(({ agentName }) => agentName)
  assert.deepEqual(names, ['once', 'yield-scout'])
})

test('200: a repeated rotation leaves the key of the first one working', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const { data } = await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 60 }, ONCE)
  assertRepeats((await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 60 }, ONCE)).data, data)
  await app.client({ apiKey: data.apiKey }).metadata()
})

test('201: a repeated named key is not made twice', async () => {
  await using opened = await openWithAgent()
  const { agent, ann } = opened
  const { data } = await ann.createKey({ id: agent.id, name: 'ci' }, ONCE)
  assertRepeats((await ann.createKey({ id: agent.id, name: 'ci' }, ONCE)).data, data)
  assert.equal((await ann.listKeys({ id: agent.id })).data.length, 1)
})

test('201: of ten simultaneous calls one is done, and the others are answered as repeats', async () => {
  await using opened = await openWithAgent()
  const { ann } = opened
  const calls = Array.from({ length: 10 }, () => ann.registerAgent({ agentName: 'once' }, ONCE))
  const answers = (await Promise.all(calls)).map(({ data }) => data)
  const [first, ...others] = answers.filter(({ warning }) => !/repeat/.test(warning))
  assert(first)
  assert.deepEqual(others, [])
  for (const answer of answers) if (answer !== first) assertRepeats(answer, first)
  assert.equal((await ann.listAgents()).data.length, 2)
})

test('400: the same idempotency key with other input is refused, and nothing is done', async () => {
  await using opened = await openWithAgent()
  const { ann } = opened
  await ann.registerAgent({ agentName: 'once' }, ONCE)
  const other = ann.registerAgent({ agentName: 'twice' }, ONCE)
  await assert.rejects(other, {
    code: 'invalid_input',
    message: /other input/,
    fix: 'Send the same input, or another key.',
  })
  assert.equal((await ann.listAgents()).data.length, 2)
})

test('400: an idempotency key is 1 to 64 visible characters', async () => {
  await using opened = await openWithAgent()
  const { ann } = opened
  for (const idempotencyKey of ['a b', 'x'.repeat(65)]) {
    const call = ann.registerAgent({ agentName: 'once' }, { idempotencyKey })
    await assert.rejects(call, { code: 'invalid_input' })
  }
  await ann.registerAgent({ agentName: 'once' }, { idempotencyKey: 'x'.repeat(64) })
})

test('201: idempotency keys are separate for each user, and forgotten after 24 hours', async () => {
  await using opened = await openWithAgent()
  const { app, ann } = opened
  const { data } = await ann.registerAgent({ agentName: 'once' }, ONCE)
  const bob = app.client({ token: await signIn(app, 'bob@example.com') })
  assert.notEqual((await bob.registerAgent({ agentName: 'once' }, ONCE)).data.id, data.id)
  app.clock.advance(DAY_MS)
  const later = app.client({ token: await signIn(app, ANN) })
  const { data: next } = await later.registerAgent({ agentName: 'once' }, ONCE)
  assert.notEqual(next.id, data.id)
  assert.doesNotMatch(next.warning, /repeat/)
})

test('201: a repeated registration by mail makes no second agent, sends no mail and shows no key twice', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const { data } = await client.selfRegister({ email: ANN, agentName: 'once' }, ONCE)
  assert.equal(client.last?.headers.get('idempotent-replayed'), null)
  const again = await client.selfRegister({ email: ANN, agentName: 'once' }, ONCE)
  assertRepeats(again.data, data)
  assert.equal(client.last?.headers.get('idempotent-replayed'), 'true')
  const other = client.selfRegister({ email: 'bob@example.com', agentName: 'once' }, ONCE)
  await assert.rejects(other, { code: 'invalid_input', message: /other input/ })
  await app.client().verifyEmail({ token: await mailedToken(app, ANN) })
  assert.deepEqual(
    (await readMails(app.folder)).map(({ to }) => to),
    [ANN],
  )
  await app.client({ apiKey: data.apiKey }).metadata()
  const ann = app.client({ token: await signIn(app, ANN) })
  assert.deepEqual(
    (await ann.listAgents()).data.map(({ id }) => id),
    [data.id],
  )
})

test('201: of simultaneous registrations by mail one is done, and only that one is charged', async () => {
  await using app = await openTestApp({ env: { LIMIT_REGISTER_IP_HOUR: '2' } })
  const register = () => app.client().selfRegister({ email: ANN, agentName: 'once' }, ONCE)
  const answers = (await Promise.all(Array.from({ length: 5 }, register))).map(({ data }) => data)
  assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
  assert.equal(answers.filter(({ warning }) => !/repeat/.test(warning)).length, 1)
  const next = () => app.client().selfRegister({ email: ANN, agentName: 'next' })
  await next()
  await assert.rejects(next(), { code: 'rate_limited' })
  assert.equal((await register()).data.id, answers[0]?.id)
})

test('201: without a user an idempotency key holds for one network: from another one it is a new registration', async () => {
  await using app = await openTestApp({ env: { TRUST_PROXY_HOPS: '1' } })
  const registerFrom = async (address: string) => {
    const json = { email: ANN, agentName: 'once' }
    const headers = ['X-Forwarded-For', address, 'Idempotency-Key', 'deploy-7']
    const answer = await sendRaw(app.url, 'POST /api/v1/agents/self-register', { json, headers })
    return { id: JSON.parse(answer.text).data.id, replayed: answer.headers['idempotent-replayed'] }
  }
  const first = await registerFrom('192.0.2.1')
  const elsewhere = await registerFrom('198.51.100.1')
  assert.deepEqual([elsewhere.replayed, elsewhere.id === first.id], [undefined, false])
  assert.deepEqual(await registerFrom('192.0.2.1'), { ...first, replayed: 'true' })
})

test('201: a repeated registration by wallet gets the same answer, although its challenge is used up', async () => {
  await using app = await openTestApp({ env: { PUBLIC_URL: 'https://stake.example' } })
  const wallet = new Ed25519Keypair()
  const address = wallet.toSuiAddress()
  const { data: challenge } = await app.client().walletChallenge({ address })
  const text = new TextEncoder().encode(challenge.message)
  const { signature } = await wallet.signPersonalMessage(text)
  const body = { agentName: 'once', address, nonce: challenge.nonce, signature }
  const { data } = await app.client().selfRegister(body, ONCE)
  assertRepeats((await app.client().selfRegister(body, ONCE)).data, data)
  await app.client({ apiKey: data.apiKey }).metadata()
  await assert.rejects(app.client().selfRegister(body), { code: 'unauthorized' })
  const forged = { ...body, signature: `${signature.slice(0, -8)}AAAAAAA=` }
  await assert.rejects(app.client().selfRegister(forged, ONCE), { message: /other input/ })
})

test('a refused request is not remembered: its idempotency key can be used again', async () => {
  await using opened = await openWithAgent()
  const { ann, agent } = opened
  await assert.rejects(ann.rotateKey({ id: 'agt_none' }, ONCE), { code: 'not_found' })
  await ann.rotateKey({ id: agent.id }, ONCE)
})

test('400: every call that changes something accepts the header, or refuses it and does nothing', async () => {
  await using opened = await openWithAgent()
  const { app, agent } = opened
  const token = await signIn(app, ANN)
  const { epoch } = await app.client().epoch()
  const names = Object.keys(ROUTES) as EndpointName[]
  const changing = names.filter((name) => effectOf(name) !== 'none' && !toRow(name).isRepeatable)
  for (const name of changing) {
    const { method, path, auth } = ROUTES[name]
    const response = await fetch(`${app.url}${path.replace(/\{\w+\}/g, agent.id)}`, {
      method,
      headers: {
        'idempotency-key': 'deploy-7',
        ...(auth === 'agent-key' && { 'x-api-key': agent.apiKey }),
        ...(auth === 'user-token' && { authorization: `Bearer ${token}` }),
      },
    })
    const { message, fix } = Object(await response.json())
    // Only an admin gets further.
    if (response.status === 403) continue
    assert.equal(response.status, 400, `${name}: ${message}`)
    assert.equal(
      message,
      '`Idempotency-Key` is not accepted here: a repeat would execute the call again. Nothing was done.',
    )
    for (const each of names.filter((each) => toRow(each).isRepeatable))
      assert(fix.includes(`${ROUTES[each].method} ${ROUTES[each].path}`), `${name}: ${fix}`)
  }
  assert(changing.includes('sandboxExecute') && changing.includes('revokeAgent'))
  assert.equal((await app.client().epoch()).epoch, epoch)
})

const toRow = (name: EndpointName): EndpointSpec => ENDPOINTS[name]
