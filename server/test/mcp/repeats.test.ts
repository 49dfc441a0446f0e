import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, type EndpointSpec, isTool, toolName } from '@stakewright/contract'
import { ME, TEN } from '../support/holdings.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp, ERAS, type Revision } from './mcp-client.ts'

const ANN = 'ann@example.com'
const idempotencyKey = 'order-7'

/** An agent whose window has room for two stakes of ten. */
async function openWithWindow(revision: Revision) {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp())
  const { id, apiKey } = await registerAgent(app, { email: ANN })
  const rules = [
    { rule: 'actions', allow: ['stake'] } as const,
    { rule: 'maxPerWindow', amount: '20000000000', window: 'day' } as const,
  ]
  await app.client({ token: await signIn(app, ANN) }).writePolicy({ id, rules })
  const mcp = opened.use(await connectMcp(app.url, revision, { 'x-api-key': apiKey }))
  const { data } = await app.client().validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const owned = opened.move()
  return {
    app,
    mcp,
    key: app.client({ apiKey }),
    stake: { validatorId, amount: TEN, sender: ME },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

for (const revision of Object.keys(ERAS) as Revision[]) {
  test(`${revision}: a build repeated with its idempotencyKey has the same answer and reserves once`, async () => {
    await using opened = await openWithWindow(revision)
    const { app, mcp, key, stake } = opened
    const named = { ...stake, idempotencyKey }
    const first = await mcp.call('build_stake', named)
    assert(!first.isError, first.text)
    app.clock.advance(1_000)
    for (let repeat = 0; repeat < 3; repeat += 1)
      assert.deepEqual(await mcp.call('build_stake', named), first)
    const { intentId } = await key.buildStake(stake, { idempotencyKey })
    assert.equal(intentId, first.data['intentId'], 'MCP and REST share the key')
    assert(!(await mcp.call('build_stake', stake)).isError, 'the window has room for one more')
    const full = await mcp.call('build_stake', stake)
    assert(full.isError && full.text.includes('maxPerWindow'), full.text)
    assert.deepEqual(await mcp.call('build_stake', named), first, 'a repeat needs no room')
  })
}

test('other input with a used idempotencyKey, and an invalid one, are refused in terms of tools', async () => {
  await using opened = await openWithWindow('2026-07-28')
  const { mcp, stake } = opened
  assert(!(await mcp.call('build_stake', { ...stake, idempotencyKey })).isError)
  const other = await mcp.call('build_stake', { ...stake, amount: '5000000000', idempotencyKey })
  assert(other.isError)
  assert.match(other.text, /`idempotencyKey` was used with other input/)
  assert.doesNotMatch(other.text, /Idempotency-Key|body/)
  for (const wrong of ['a b', '', 'x'.repeat(65), 7, null]) {
    const { isError, text } = await mcp.call('build_stake', { ...stake, idempotencyKey: wrong })
    assert(isError, String(wrong))
    assert.match(text, /`idempotencyKey` (?:must be|is not a string)/)
  }
  const surplus = await mcp.call('allocate', { amount: '5000000000', idempotencyKey })
  assert(surplus.isError && surplus.text.includes('`idempotencyKey`'), surplus.text)
  const unused = await mcp.call('sandbox_advance', { epochs: 1, idempotencyKey })
  assert(unused.isError)
  assert.match(unused.text, /`idempotencyKey` is not accepted here.*It works with build_stake, /s)
})

test('exactly the tools of repeatable endpoints take an idempotencyKey', async () => {
  await using opened = await openWithWindow('2026-07-28')
  const { tools } = await opened.mcp.client.listTools()
  const taking = tools.flatMap(({ name, inputSchema: { properties } }) =>
    properties && 'idempotencyKey' in properties ? [name] : [],
  )
  const repeatable = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
    const { isRepeatable }: EndpointSpec = ENDPOINTS[name]
    return isRepeatable && isTool(name)
  })
  assert(repeatable.includes('buildBatch') && repeatable.includes('selfRegister'))
  assert.deepEqual(taking.toSorted(), repeatable.map(toolName).toSorted())
})

test('a registration repeated with its idempotencyKey makes one agent, whose key is shown once', async () => {
  await using app = await openTestApp()
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const request = { agentName: 'scout', email: ANN, idempotencyKey }
  const [first, again] = [await mcp.call('self_register', request), await mcp.call('self_register', request)]
  assert(!first.isError && !again.isError, again.text)
  const keyOf = ({ data }: typeof first) => (data['data'] as { readonly apiKey: string }).apiKey
  assert.match(keyOf(first), /^\w{40,}$/)
  assert.match(keyOf(again), /…$/)
  assert.match(again.text, /repeat/)
})
