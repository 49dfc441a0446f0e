import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { ROUTES, toolName } from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { ME, stakeInSandbox, TEN } from '../support/holdings.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { connectMcp, type Mcp } from './mcp-client.ts'

type Arguments = Readonly<Record<string, unknown>>
type Call = readonly [tool: string, given: Arguments]
type Schemas = { readonly input: object; readonly output: object }

const ajv = new AjvJsonSchemaValidator()
const LIMITS = { tier: 'builder', rateLimits: { rpm: 1_000, rpd: 1_000 } } as const
const WAITING = 'waiting@example.com'

const EXAMPLE_CALLS: readonly Call[] = Object.entries(EXAMPLES).map(([endpoint, given]) => [
  toolName(endpoint as keyof typeof EXAMPLES),
  given,
])

/** The schemas of each tool, from `stakewright://schema/{tool}` (`whole`) and from `tools/list` (`listed`). */
async function schemasOf(mcp: Mcp) {
  const { tools } = await mcp.client.listTools()
  const schemas = new Map<string, { readonly whole: Schemas; readonly listed: Schemas }>()
  for (const { name, inputSchema, outputSchema } of tools) {
    const { contents } = await mcp.client.readResource({ uri: `stakewright://schema/${name}` })
    const whole: Schemas = JSON.parse(contents[0] && 'text' in contents[0] ? contents[0].text : '')
    schemas.set(name, { whole, listed: { input: inputSchema, output: outputSchema ?? {} } })
  }
  return schemas
}

const validators = new WeakMap<object, ReturnType<typeof ajv.getValidator>>()

function conforms(value: unknown, schema: object, label: string): void {
  const validate = validators.get(schema) ?? ajv.getValidator({ ...schema })
  validators.set(schema, validate)
  const result = validate(value)
  assert(result.valid, `${label}: ${result.errorMessage}`)
}

/** An owner with thirty tokens, and an agent whose builds wait for an approval. */
async function openWithHoldings() {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp({ env: { LIMIT_IP_RPM: '10000' } }))
  const { apiKey } = await admitAgent(app, LIMITS)
  const agent = app.client({ apiKey })
  const { data } = await agent.validators({ status: 'active', limit: 10 })
  for (let at = 0; at < 30; at += 1) await stakeInSandbox(agent, data[at % data.length]?.id ?? '')
  const mcp = opened.use(await connectMcp(app.url, '2026-07-28'))
  const owned = opened.move()
  return {
    app,
    mcp,
    apiKey,
    waitingKey: await keyNeedingApproval(app),
    exclude: data.slice(0, 3).map(({ id }) => id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function keyNeedingApproval(app: TestApp): Promise<string> {
  const { id, apiKey } = await admitAgent(app, { ...LIMITS, email: WAITING, agentName: 'waiting' })
  const actions = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw', 'join'] } as const
  const rules = [actions, { rule: 'approvalAbove', amount: '1' } as const]
  await app.client({ token: await userToken(app, WAITING) }).writePolicy({ id, rules })
  return apiKey
}

test('every answer, compact and full, conforms to the schemas of the resource and of tools/list', async () => {
  await using opened = await openWithHoldings()
  const { mcp, apiKey, waitingKey, exclude } = opened
  const schemas = await schemasOf(mcp)
  const answered = new Set<string>()
  const answer = async (tool: string, given: Arguments) => {
    const { whole, listed } = schemas.get(tool) ?? assert.fail(tool)
    const label = `${tool} ${JSON.stringify(given)}`
    conforms(given, whole.input, label)
    conforms(given, listed.input, label)
    const { isError, data } = await mcp.call(tool, given)
    if (isError) return data
    conforms(data, whole.output, label)
    conforms(data, listed.output, label)
    answered.add(tool)
    return data
  }
  const takesDetail = (tool: string) => 'detail' in Object(Object(schemas.get(tool)?.listed.input).properties)
  const key = (tool: string) => (tool === 'report_leak' ? {} : { apiKey })
  const examples = new Map(EXAMPLE_CALLS)
  const calls: readonly Call[] = [
    ...[...schemas.keys()]
      .filter((tool) => !ENDS.includes(tool))
      .map((tool): Call => [tool, { ...examples.get(tool), ...key(tool) }]),
    ['positions', { owner: ME, limit: 25, apiKey }],
    ['plan_rebalance', { owner: ME, apiKey }],
    ['plan_rebalance', { owner: ME, exclude, apiKey }],
    [
      'allocate',
      { amount: '9000000000000000', maxValidators: 20, explain: true, alternatives: true, apiKey },
    ],
    ['validators', { fields: 'name' }],
    ['apy_history', { view: 'full' }],
    ...[...examples]
      .filter(([tool]) => /^build_(?:stake|unstake|withdraw|join|batch)$/.test(tool))
      .map(([tool, given]): Call => [tool, { ...given, apiKey: waitingKey }]),
  ]
  for (const [tool, given] of calls)
    for (const detail of takesDetail(tool) ? ['compact', 'full'] : [undefined])
      await answer(tool, { ...given, ...(detail && { detail }) })
  const { hash } = await answer('validators', {})
  assert.deepEqual(await answer('validators', { hash }), { unchanged: true })
  const waiting = await answer('build_stake', { ...EXAMPLES.buildStake, amount: TEN, apiKey: waitingKey })
  assert.match(String(waiting['approvalId']), /^apr_/)
  for (const tool of ENDS) await answer(tool, key(tool))
  const unanswered = [...schemas.keys()].filter((tool) => !answered.has(tool))
  assert.deepEqual(
    unanswered.toSorted(),
    ['release_reservation', 'verify_email'],
    'these tools need a mailed token or a reservation',
  )
})

test('no text of MCP names an HTTP path, method or header, or an endpoint that is no tool', async () => {
  await using app = await openTestApp()
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const { tools } = await mcp.client.listTools()
  const { prompts } = await mcp.client.listPrompts()
  const schemas = await schemasOf(mcp)
  const names = new Set(tools.map(({ name }) => name))
  const wholes = [...schemas.values()].map(({ whole: { input, output } }) => ({ input, output }))
  const texts = [...textsIn([tools, prompts, wholes]), mcp.client.getInstructions() ?? '']
  assert(texts.length > 1_000)
  const isForeign = (text: string) =>
    OF_HTTP.test(text) ||
    [...text.matchAll(/`(\w+)`/g)].some(
      ([, word = '']) => word in ROUTES && !names.has(word) && /[A-Z]/.test(word),
    )
  assert.deepEqual([...new Set(texts.filter(isForeign))], [])
})

/** Terms of HTTP. X-API-Key is allowed, because MCP clients set it. */
const OF_HTTP =
  /\b(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE|HTTP|[Ee]ndpoints?|ETag)\b|\/api\/|\btx\/|`Accept|\b(?:If|Idempotency|Retry)-[A-Z]|X-(?!API-Key)|answered \d/

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

test('`apiKey`, `detail` and `idempotencyKey` have a type and a description in every tool that takes them', async () => {
  await using app = await openTestApp()
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const { tools } = await mcp.client.listTools()
  for (const { name, inputSchema } of tools) {
    for (const field of ['apiKey', 'detail', 'idempotencyKey']) {
      const schema = Object(inputSchema.properties)[field]
      if (schema === undefined) continue
      assert.equal(schema.type, 'string', `${name} ${field}`)
      assert(schema.description, `${name} ${field}`)
    }
  }
})

const REFUSED = [
  'is not a field of this request',
  'is not accepted here: a repeat would execute the call again',
]

/** Tools that end the key: called last. */
const ENDS = ['revoke_self']

test('a field is accepted if the schema of the tool lists it, and refused if not', async () => {
  await using opened = await openWithHoldings()
  const { mcp, apiKey } = opened
  const { tools } = await mcp.client.listTools()
  const examples = new Map(EXAMPLE_CALLS)
  for (const { name, inputSchema } of tools) {
    const { properties = {}, additionalProperties } = inputSchema
    assert.equal(additionalProperties, false, name)
    assert('apiKey' in properties, name)
    if (ENDS.includes(name)) continue
    const given = { apiKey, ...examples.get(name) }
    for (const [field, value] of [
      ['detail', 'full'],
      ['idempotencyKey', 'order-7'],
      ['zzz', 1],
    ] as const) {
      const { isError, text } = await mcp.call(name, { ...given, [field]: value })
      const isRefused = isError && REFUSED.some((why) => text.includes(`\`${field}\` ${why}`))
      assert.equal(isRefused, !(field in properties), `${name} ${field}: ${text}`)
    }
  }
})

test('a key among the arguments of a public tool is checked like one in the header', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app)
  await using mcp = await connectMcp(app.url, '2026-07-28')
  assert(!(await mcp.call('epoch', { apiKey })).isError)
  const { isError, text } = await mcp.call('epoch', { apiKey: 'stk_other' })
  assert(isError && text.includes('unauthorized'), text)
})
