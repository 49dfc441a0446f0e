import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { EXAMPLES } from '@stakewright/contract/examples'
import { countTokens } from 'gpt-tokenizer'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { joinableTokensOn, ME, stakeInSandbox, TEN } from '../support/holdings.ts'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp } from './mcp-client.ts'

/** Upper bound of the tokens of any compact answer. */
const MAX_TOKENS = 2_000

type Arguments = Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>

async function openWithKey() {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp({ env: { LIMIT_IP_RPM: '10000' } }))
  const { apiKey } = await admitAgent(app, { tier: 'builder', rateLimits: { rpm: 1_000, rpd: 1_000 } })
  const agent = app.client({ apiKey })
  const mcp = opened.use(await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey }))
  const call = async (tool: string, given: Arguments) => {
    const result = await mcp.call(tool, given)
    assert(!result.isError, `${tool}: ${result.text}`)
    if (given['detail'] !== 'full') {
      const costs = [result.text, JSON.stringify(result.data)].map((text) => countTokens(text))
      assert(Number(costs[0]) <= MAX_TOKENS && Number(costs[1]) <= 2 * MAX_TOKENS, `${tool}: ${costs}`)
    }
    return result
  }
  const owned = opened.move()
  return { app, agent, call, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Thirty tokens of one owner, with ten validators. */
async function holdThirty({ agent }: Awaited<ReturnType<typeof openWithKey>>): Promise<void> {
  const { data } = await agent.validators({ status: 'active', sort: 'score', limit: 10 })
  for (let at = 0; at < 30; at += 1) {
    const validatorId = data[at % data.length]?.id ?? ''
    await stakeInSandbox(agent, validatorId, String(BigInt(TEN) + BigInt(at)))
  }
}

/** A validator with which thirty other addresses stake. */
async function joinedByThirty({ agent }: Awaited<ReturnType<typeof openWithKey>>): Promise<string> {
  const [validator] = (await agent.validators({ status: 'active', limit: 1 })).data
  assert(validator)
  const { commands } = await agent.buildStake({ validatorId: validator.id, amount: TEN })
  for (let at = 0; at < 30; at += 1)
    assert.equal(
      (
        await agent.sandboxExecute({
          sender: `0x${createHash('sha256').update(String(at)).digest('hex')}`,
          commands,
        })
      ).status,
      'done',
    )
  return validator.id
}

test('a history longer than a page counts the missing items with detail "full", too, and names the offset of the rest', async () => {
  await using opened = await openWithKey()
  const { agent, call } = opened
  const { total } = await agent.apyHistory({ period: 'all' })
  await agent.sandboxAdvance({ epochs: Math.max(1, 101 - total) })
  const whole = await agent.apyHistory({ period: 'all', limit: 365 })
  assert(whole.total > 100)
  const { data, text } = await call('apy_history', { period: 'all', detail: 'full' })
  assert.deepEqual(data['omitted'], { data: whole.total - 100 })
  assert.match(text, /pass offset: 100 for the older ones\)$/)
  const { data: rest } = await call('apy_history', { period: 'all', offset: 100, detail: 'full' })
  assert.deepEqual(rowsOf(rest, 'data').length + 100, whole.total)
  assert.equal('omitted' in rest, false)
})

const rowsOf = (data: Row, items: string) => data[items] as readonly Row[]

test('every list can be read completely, page by page, and each page counts the items that are missing', async () => {
  await using opened = await openWithKey()
  const { call } = opened
  await holdThirty(opened)
  const validatorId = await joinedByThirty(opened)
  const lists: readonly (readonly [tool: string, given: Arguments, items: string])[] = [
    ['validators', {}, 'data'],
    ['validators', { view: 'full' }, 'data'],
    ['validators', { fields: 'name', sort: 'totalStake' }, 'data'],
    ['validator_histories', {}, 'data'],
    ['scored_validators', {}, 'validators'],
    ['positions', { owner: ME }, 'positions'],
    ['positions', { owner: ME, limit: 25 }, 'positions'],
    ['delegators', { validatorId }, 'delegators'],
  ]
  for (const [tool, given, items] of lists) {
    const label = `${tool} ${JSON.stringify(given)}`
    const { data: whole } = await call(tool, { view: 'compact', ...given, limit: 100, detail: 'full' })
    const all = rowsOf(whole, items)
    assert(all.length > 10 && whole['nextCursor'] === null, label)
    const seen: Row[] = []
    let cursor: unknown
    do {
      const { data, text } = await call(tool, { ...given, ...(cursor !== undefined && { cursor }) })
      seen.push(...rowsOf(data, items))
      const missing = all.length - seen.length
      const { [items]: counted = 0 } = (data['omitted'] ?? {}) as Readonly<Record<string, number>>
      assert.equal(counted, missing, `${label}: ${seen.length} of ${all.length} were shown`)
      if (missing > 0)
        assert(text.includes(`(not all: ${missing} more in ${items}; pass nextCursor as cursor`), label)
      assert(countTokens(text) <= MAX_TOKENS, label)
      cursor = data['nextCursor']
    } while (typeof cursor === 'string')
    assert.deepEqual(seen, all, label)
  }
  const { text } = await call('delegators', { validatorId, limit: 35 })
  assert.match(
    text,
    /at least \d+ more in delegators; pass nextCursor/,
    'the number of the others is unknown',
  )
})

test('a page of the requested size that is not cut has no `omitted`', async () => {
  await using opened = await openWithKey()
  const { data, text } = await opened.call('validators', { limit: 5 })
  assert.equal(rowsOf(data, 'data').length, 5)
  assert.equal(typeof data['nextCursor'], 'string')
  assert(!('omitted' in data) && !text.includes('not all'))
})

test('a history that is cut counts the missing items and names the offset of the older ones', async () => {
  await using opened = await openWithKey()
  const { call } = opened
  const short = await call('apy_history', {})
  assert.equal(rowsOf(short.data, 'data').length, short.data['total'], 'a history that fits is not cut')
  const all = rowsOf((await call('apy_history', { view: 'full', detail: 'full' })).data, 'data')
  let seen: readonly Row[] = []
  while (seen.length < all.length) {
    const { data, text } = await call('apy_history', { view: 'full', offset: seen.length })
    seen = [...rowsOf(data, 'data'), ...seen]
    const missing = all.length - seen.length
    const { data: counted = 0 } = (data['omitted'] ?? {}) as { readonly data?: number }
    assert.equal(counted, missing)
    if (missing > 0) assert(text.includes(`${missing} more in data; pass offset: ${seen.length} for`), text)
  }
  assert.deepEqual(seen, all)
})

test('`detail` changes neither the first items nor their order, and the schema names the default order', async () => {
  await using opened = await openWithKey()
  const { app, call } = opened
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const { tools } = await mcp.client.listTools()
  for (const [tool, items, id] of [
    ['validators', 'data', 'id'],
    ['scored_validators', 'validators', 'validatorId'],
    ['validator_histories', 'data', 'id'],
  ] as const) {
    const { properties = {} } = tools.find(({ name }) => name === tool)?.inputSchema ?? {}
    const [, sort] =
      /without it `(\w+)`/.exec(String((properties['sort'] as Row | undefined)?.['description'])) ?? []
    const orders = [{ detail: 'compact' }, { detail: 'full' }, { sort }].map(async (given) => {
      const { data } = await call(tool, { limit: 5, ...given })
      return rowsOf(data, items).map((row) => row[id])
    })
    const [compact, ...others] = await Promise.all(orders)
    for (const other of others) assert.deepEqual(other, compact, tool)
  }
})

test('a plan has its calls directly behind the summary, and counts those that are cut', async () => {
  await using opened = await openWithKey()
  const { call, agent } = opened
  await holdThirty(opened)
  const { data: best } = await agent.validators({ status: 'active', sort: 'score', limit: 2 })
  const pending = await call('plan_rebalance', { owner: ME })
  await agent.sandboxAdvance({ epochs: 3 })
  const wishes = [{}, { exclude: best.map(({ id }) => id) }, { maxTurnover: 0.1 }]
  for (const wish of wishes) {
    const compact = await call('plan_rebalance', { owner: ME, ...wish })
    const full = await call('plan_rebalance', { owner: ME, ...wish, detail: 'full' })
    const [shown, all] = [compact, full].map(({ data }) => rowsOf(data, 'calls'))
    assert(shown && all && shown.length > 0)
    assert.deepEqual(shown, all.slice(0, shown.length))
    const names = Object.keys(compact.data)
    assert.deepEqual(names.slice(0, 2), ['summary', 'calls'])
    assert(countTokens(compact.text) <= MAX_TOKENS, `${countTokens(compact.text)} tokens`)
    const { currentPositions = 0, calls = 0 } = compact.data['omitted'] as Readonly<Record<string, number>>
    assert.equal(rowsOf(compact.data, 'currentPositions').length + currentPositions, 30)
    assert.equal(shown.length + calls, all.length)
    assert.equal(compact.text.includes(`${calls} more in calls, all of which the plan needs`), calls > 0)
  }
  assert(rowsOf(pending.data, 'calls').length > 10)
})

test('a batch of any size costs at most 2,000 tokens, and a repeat with its idempotencyKey returns it in full', async () => {
  await using opened = await openWithKey()
  const { call, agent } = opened
  const { data } = await agent.validators({ status: 'active', limit: 50 })
  const uncut: number[] = []
  for (const size of [1, 2, 3, 4, 5, 10, 20, 50]) {
    const items = data.slice(0, size).map(({ id }) => ({ action: 'stake', validatorId: id, amount: TEN }))
    const given = { items, sender: ME, idempotencyKey: `batch-${size}` }
    const compact = await call('build_batch', given)
    assert(countTokens(compact.text) <= MAX_TOKENS, `${size}: ${countTokens(compact.text)} tokens`)
    const full = await call('build_batch', { ...given, detail: 'full' })
    const { omitted, ...shown } = compact.data
    const left = Object.keys(omitted ?? {})
    for (const [name, value] of Object.entries(full.data))
      if (!left.includes(name)) assert.deepEqual(shown[name], value, name)
    assert(left.every((name) => compact.text.includes(name)))
    const cut = left.filter((name) => name in shown)
    assert.deepEqual(cut, size === 50 ? ['items'] : [])
    if (!left.includes('commands')) uncut.push(size)
    else assert.match(compact.text, /repeat the call with the same idempotencyKey and detail: "full"/)
    assert.equal(
      (await agent.sandboxExecute({ sender: ME, commands: full.data['commands'] as never })).status,
      'done',
    )
  }
  assert.deepEqual(uncut, [1, 2, 3, 4, 5], 'batches as large as a default split have their commands at once')
})

test('the batch of a default split is answered with its commands in one call', async () => {
  await using opened = await openWithKey()
  const { call, agent } = opened
  const { allocations } = await agent.allocate({ amount: '90000000000000000' })
  assert.equal(allocations.length, 5)
  const items = allocations.map(({ validatorId, amount }) => ({ action: 'stake', validatorId, amount }))
  const { data, text } = await call('build_batch', { items, sender: ME })
  assert(countTokens(text) <= MAX_TOKENS, `${countTokens(text)} tokens`)
  assert(text.includes(JSON.stringify(data['commands'])))
  assert.match(text, /not all: transaction, which says the same as commands, intent, intentSignature;/)
  const done = await agent.sandboxExecute({ sender: ME, commands: data['commands'] as never })
  assert.equal(done.status, 'done')
})

test('nested lists of an answer are also cut, and counted by their path', async () => {
  await using opened = await openWithKey()
  const { app, agent, call } = opened
  const { id, apiKey } = await admitAgent(app)
  await using bound = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const rulesOf = (data: Row) => rowsOf(data['policy'] as Row, 'rules')
  const ann = app.client({ token: await userToken(app, 'ann@example.com') })
  const { data } = await agent.validators({ limit: 100 })
  const allow = data.map((validator) => validator.id)
  await ann.writePolicy({
    id,
    rules: [
      { rule: 'actions', allow: ['stake'] },
      { rule: 'validators', allow },
    ],
  })
  const { data: short, text } = await bound.call('own_policy', {})
  const { 'policy.rules[1].allow': missing = 0 } = short['omitted'] as Readonly<Record<string, number>>
  const [, rule] = rulesOf(short)
  assert.deepEqual(rule?.['allow'], allow.slice(0, allow.length - missing))
  assert(missing > 0 && text.includes(`${missing} more in policy.rules[1].allow; pass detail: "full"`), text)
  assert(countTokens(text) <= MAX_TOKENS, `${countTokens(text)} tokens`)
  assert.deepEqual(rulesOf((await bound.call('own_policy', { detail: 'full' })).data)[1], {
    rule: 'validators',
    allow,
  })

  const many = data.slice(0, 20).map((validator) => validator.id)
  const items = many.map((validatorId) => ({ action: 'stake' as const, validatorId, amount: TEN }))
  const { commands } = await agent.buildBatch({ sender: ME, items })
  const done = await call('sandbox_execute', { sender: ME, commands })
  assert(countTokens(done.text) <= MAX_TOKENS, `${countTokens(done.text)} tokens`)
  for (let round = 0; round < 4; round += 1) await agent.sandboxAdvance({ epochs: 10 })
  const accuracy = await call('accuracy', {})
  assert(countTokens(accuracy.text) <= MAX_TOKENS, `${countTokens(accuracy.text)} tokens`)
})

test('the compact answer of a single build equals the full one', async () => {
  await using opened = await openWithKey()
  const { call, agent } = opened
  const { sender: _, ...unsigned } = EXAMPLES.buildStake
  const alike = await joinableTokensOn('sandbox', agent)
  const builds: readonly (readonly [tool: string, given: Arguments])[] = [
    ['build_stake', unsigned],
    ['build_stake', EXAMPLES.buildStake],
    ['build_unstake', EXAMPLES.buildUnstake],
    ['build_withdraw', EXAMPLES.buildWithdraw],
    ['build_join', EXAMPLES.buildJoin],
    ['build_join', alike],
  ]
  for (const [at, [tool, given]] of builds.entries()) {
    const named = { ...given, idempotencyKey: `build-${at}` }
    const compact = await call(tool, named)
    const full = await call(tool, { ...named, detail: 'full' })
    assert(rowsOf(full.data, 'arguments').length > 0, tool)
    assert.deepEqual(compact.data, full.data, tool)
    assert(countTokens(compact.text) <= 1_500, `${tool}: ${countTokens(compact.text)} tokens`)
  }
})

test('of a hundred unknown ids the first five are listed, and the others are counted', async () => {
  await using opened = await openWithKey()
  const ids = Array.from({ length: 100 }, (_, at) => `0x${String(at + 1).padStart(64, '0')}`)
  const given = { validators: ids.join(',') }
  const { text, data } = await opened.call('scored_validators', given)
  assert.deepEqual([data['unknown'], data['omitted']], [ids.slice(0, 5), { unknown: 95 }])
  assert.match(text, /95 more in unknown/)
  assert(countTokens(text) < 500, `${countTokens(text)} tokens`)
  const whole = await opened.call('scored_validators', { ...given, detail: 'full' })
  assert.deepEqual(whole.data['unknown'], ids)
})

test('a refusal of a large batch lists the details that fit, and counts the others', async () => {
  await using app = await openTestApp()
  const { apiKey, id } = await admitAgent(app, { tier: 'builder' })
  const owner = app.client({ token: await userToken(app, 'ann@example.com') })
  await owner.writePolicy({
    id,
    rules: [
      { rule: 'actions', allow: ['stake'] },
      { rule: 'senders', allow: [ME] },
      { rule: 'maxCommission', commission: 0 },
      { rule: 'minScore', score: 100 },
    ],
  })
  const { data } = await app.client().validators({ status: 'active', limit: 50 })
  const items = data.map((validator) => ({ action: 'stake', validatorId: validator.id, amount: TEN }))
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const { isError, text } = await mcp.call('build_batch', { items, sender: ME })
  assert(isError)
  assert(countTokens(text) <= MAX_TOKENS, `${countTokens(text)} tokens`)
  assert.match(text, /^details \(25\):$/m)
  assert.match(text, /^omitted:\n {2}details: 25$/m)
})
