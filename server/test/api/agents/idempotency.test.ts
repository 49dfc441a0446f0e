import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const DAY_MS = 86_400_000
const ONCE = { idempotencyKey: 'deploy-7' }

async function openWithAgent() {
  const app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  return { app, agent, ann, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** What a repeat says in place of what is shown once. */
const repeated = <T extends { readonly keyPrefix: string }>(data: T) => ({
  ...data,
  apiKey: `${data.keyPrefix}…`,
  warning: /repeat/,
})

function assertRepeats(answer: { readonly warning: string }, first: { readonly keyPrefix: string }): void {
  const { warning, ...expected } = repeated(first)
  const { warning: said, ...data } = answer
  assert.deepEqual(data, expected)
  assert.match(said, warning)
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

test('201: of ten at once one is done, and the others are answered alike', async () => {
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

test('400: the same name with another body is refused, and nothing is done', async () => {
  await using opened = await openWithAgent()
  const { ann } = opened
  await ann.registerAgent({ agentName: 'once' }, ONCE)
  const other = ann.registerAgent({ agentName: 'twice' }, ONCE)
  await assert.rejects(other, { code: 'invalid_input', message: /another body/ })
  assert.equal((await ann.listAgents()).data.length, 2)
})

test('400: a name is 1 to 64 visible characters', async () => {
  await using opened = await openWithAgent()
  const { ann } = opened
  for (const idempotencyKey of ['a b', 'x'.repeat(65)]) {
    const call = ann.registerAgent({ agentName: 'once' }, { idempotencyKey })
    await assert.rejects(call, { code: 'invalid_input' })
  }
  await ann.registerAgent({ agentName: 'once' }, { idempotencyKey: 'x'.repeat(64) })
})

test('201: names belong to their user, and are forgotten after 24 hours', async () => {
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

test('a request that was refused is not remembered: it can be sent again', async () => {
  await using opened = await openWithAgent()
  const { ann, agent } = opened
  await assert.rejects(ann.rotateKey({ id: 'agt_none' }, ONCE), { code: 'not_found' })
  await ann.rotateKey({ id: agent.id }, ONCE)
})
