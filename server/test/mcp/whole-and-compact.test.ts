import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  isTool,
  type ListSum,
  toolName,
} from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { admitAgent } from '../support/admitted-agent.ts'
import { joinableTokensOn, ME, stakeInSandbox, TEN } from '../support/holdings.ts'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp, type Mcp } from './mcp-client.ts'

type Row = Readonly<Record<string, unknown>>
type Call = readonly [tool: string, given: Row]

const SPECS: ReadonlyMap<string, EndpointSpec> = new Map(
  (Object.keys(ENDPOINTS) as EndpointName[]).filter(isTool).map((name) => [toolName(name), ENDPOINTS[name]]),
)

/** An agent with long answers: thirty tokens, rewards of many epochs, projections with known errors. */
async function openWithMuch() {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp({ env: { LIMIT_IP_RPM: '10000' } }))
  const { apiKey } = await admitAgent(app, { tier: 'pro', rateLimits: { rpm: 1_000, rpd: 10_000 } })
  const agent = app.client({ apiKey })
  const { data } = await agent.validators({ status: 'active', sort: 'score', limit: 20 })
  const ids = data.map(({ id }) => id)
  for (let at = 0; at < 30; at += 1) await stakeInSandbox(agent, ids[at % 10] ?? '')
  // Single epochs, so that the projections of each are evaluated.
  for (let round = 0; round < 45; round += 1) await agent.sandboxAdvance({ epochs: 1 })
  const alike = await joinableTokensOn('sandbox', agent)
  const mcp = opened.use(await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey }))
  const owned = opened.move()
  return { mcp, ids, alike, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Calls whose answers are too long to be compact, and one call of every other tool that takes `detail`. */
function longCalls({ ids, alike }: Awaited<ReturnType<typeof openWithMuch>>): readonly Call[] {
  const items = ids.map((validatorId) => ({ action: 'stake', validatorId, amount: TEN }))
  const [id = ''] = ids
  return [
    ['rewards', { owner: EXAMPLES.rewards.owner }],
    ['rewards', { owner: EXAMPLES.rewards.owner, epochs: 80 }],
    ['rewards', { owner: ME }],
    ['backtest', { amount: '9000000000000000', epochs: 60 }],
    ['accuracy', {}],
    ['allocate', { amount: '9000000000000000000', maxValidators: 50, maxShare: 0.03, explain: true }],
    [
      'allocate',
      { amount: '9000000000000000000', maxValidators: 50, keepLiquid: { amount: TEN, withinEpochs: 0 } },
    ],
    ['plan_rebalance', { owner: ME, exclude: ids.slice(0, 3) }],
    ['build_batch', { items, sender: ME, idempotencyKey: 'batch' }],
    ['validator_histories', { epochs: 100, view: 'full', limit: 100 }],
    ['validators', { view: 'full', limit: 100 }],
    ['scored_validators', { view: 'full', limit: 100 }],
    ['validator_apy_history', { id, period: 'all', view: 'full', limit: 365 }],
    ['apy_history', { period: 'all', view: 'full', limit: 365 }],
    ['positions', { owner: ME, view: 'full', limit: 100 }],
    ['delegators', { validatorId: id, view: 'full', limit: 100 }],
    ['validator_commission_history', { id, view: 'full' }],
    ['build_stake', { ...EXAMPLES.buildStake, idempotencyKey: 'stake' }],
    ['build_unstake', { ...EXAMPLES.buildUnstake, idempotencyKey: 'unstake' }],
    ['build_withdraw', { ...EXAMPLES.buildWithdraw, idempotencyKey: 'withdraw' }],
    ['build_join', { ...alike, idempotencyKey: 'join' }],
    ['simulate_policy', { items }],
    ['own_policy', {}],
  ]
}

test('a compact answer equals the full one except for lists that are cut and counted: every figure is the same', async () => {
  await using opened = await openWithMuch()
  const { mcp } = opened
  const cut = new Set<string>()
  for (const [tool, given] of longCalls(opened)) {
    const label = `${tool} ${JSON.stringify(given)}`.slice(0, 200)
    const { sums = [] } = SPECS.get(tool) ?? assert.fail(tool)
    const full = await answerOf(mcp, tool, { ...given, detail: 'full' })
    const { omitted = {}, ...compact } = await answerOf(mcp, tool, given)
    const missing = missingFrom(full, compact, { label, moving: movingIn(sums) })
    const counts = Object.entries(Object(omitted)).filter(([, count]) => typeof count === 'number')
    assert.deepEqual(Object.fromEntries(counts), missing, label)
    for (const sum of sums) {
      assertAddsUp(full, sum, given, {}, `${label}, whole`)
      assertAddsUp(compact, sum, given, Object(omitted), label)
    }
    if (counts.length > 0) cut.add(tool)
  }
  for (const tool of ['rewards', 'backtest', 'accuracy', 'allocate', 'plan_rebalance', 'build_batch'])
    assert(cut.has(tool), `${tool} was long enough to be cut`)
  const { tools } = await mcp.client.listTools()
  const uncalled = tools.filter(({ name, inputSchema }) => {
    return 'detail' in Object(inputSchema.properties) && !longCalls(opened).some(([tool]) => tool === name)
  })
  assert.deepEqual(
    uncalled.map(({ name }) => name),
    ['sandbox_execute'],
    'a second call would execute again',
  )
})

async function answerOf(mcp: Mcp, tool: string, given: Row): Promise<Row> {
  const { isError, text, data } = await mcp.call(tool, given)
  assert(!isError, `${tool}: ${text}`)
  return data
}

/** Fields that differ between the two calls, or that include the items left out. */
const movingIn = (sums: readonly ListSum[]): ReadonlySet<string> =>
  new Set([
    'dataAgeSeconds',
    'nextCursor',
    ...sums.filter(({ isOfUnlisted }) => isOfUnlisted).map(({ remainder }) => remainder),
  ])

type Comparison = { readonly label: string; readonly moving: ReadonlySet<string> }

/** Number of items that each list lacks, by its path. Any other difference fails. */
function missingFrom(whole: unknown, shown: unknown, given: Comparison, path = ''): Record<string, number> {
  const { label, moving } = given
  if (Array.isArray(whole)) {
    assert(Array.isArray(shown), `${label}: ${path}`)
    const start = isHistory(whole) && !IN_ORDER.has(path) ? whole.length - shown.length : 0
    const inner = shown.map((item, at) => missingFrom(whole[start + at], item, given, `${path}[${at}]`))
    const count = whole.length - shown.length
    return Object.assign({}, ...inner, count > 0 && { [path]: count })
  }
  if (typeof whole !== 'object' || whole === null) {
    if (!moving.has(path)) assert.deepEqual(shown, whole, `${label}: ${path}`)
    return {}
  }
  const fields = Object(shown)
  const inner = Object.entries(whole).map(([name, value]) => {
    const inside = path === '' ? name : `${path}.${name}`
    return name in fields ? missingFrom(value, fields[name], given, inside) : { [inside]: 1 }
  })
  return Object.assign({}, ...inner)
}

/** Lists of coming epochs, which are cut at the end. Other lists ascending by epoch are histories, cut at the start. */
const IN_ORDER = new Set(['calls', 'steps', 'timeline'])

const isHistory = ([first, ...others]: readonly unknown[]): boolean =>
  Number(Object(first)['epoch']) < Number(Object(others.at(-1))['epoch'])

function assertAddsUp(
  answer: Row,
  { list, field, remainder, total }: ListSum,
  given: Row,
  left: Row,
  label: string,
) {
  const items = answer[list] as readonly Row[]
  const parts = [...items.map((item) => item[field]), answer[remainder], left[`${list}.${field}`] ?? 0]
  const sum = parts.reduce((all: bigint, part) => all + BigInt(String(part)), 0n)
  assert.equal(sum, BigInt(String(answer[total] ?? given[total])), label)
}

test('a field whose description says "not listed" is declared as a part of a sum', () => {
  for (const [tool, { reply, sums = [] }] of SPECS) {
    const fields = Object.entries(Object(Object(reply).shape)) as [string, { description?: string }][]
    for (const [name, { description = '' }] of fields)
      if (/\bnot listed\b/.test(description))
        assert(
          sums.some(({ remainder, isOfUnlisted }) => remainder === name && isOfUnlisted),
          `${tool}: ${name}`,
        )
  }
})
