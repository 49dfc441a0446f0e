import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointSpec, type ErrorBody, ROUTES, type Route } from '@stakewright/contract'
import { DAY_MS } from '../../src/durations.ts'
import { admitAgent } from '../support/admitted-agent.ts'
import { openSandboxApp } from '../support/chain-app.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { refusalOf } from './refused.ts'

const AMOUNT = '9000000000000'
const GET_KEY = { method: 'POST', path: '/api/v1/sandbox/keys', body: { agentName: 'yield-scout' } }

async function refused(app: Pick<TestApp, 'url'>, path: string, init: RequestInit = {}): Promise<ErrorBody> {
  const response = await fetch(app.url + path, init)
  const body: ErrorBody = JSON.parse(await response.text())
  assert.equal(body.status, response.status, path)
  assert.equal(typeof body.fix, 'string', path)
  assert.equal(typeof body.retryable, 'boolean', path)
  return body
}

test('400: a field in another naming style is refused with its right name', async () => {
  await using app = await openSandboxApp()
  const request = { amount: AMOUNT, max_validators: 3 }
  const { details, fix } = await refusalOf(app.agent.allocate(request))
  assert.deepEqual(details, [
    { field: 'max_validators', message: 'is not a field of this request; use `maxValidators`' },
  ])
  assert.equal(fix, 'Use `maxValidators` instead of `max_validators`.')
})

test('400: unknown query parameters are refused, with the name of a similar one', async () => {
  await using app = await openTestApp()
  const near = await refused(app, '/api/v1/staking/apy-history?Limt=5')
  assert.equal(near.status, 400)
  assert.equal(near.fix, 'Use `limit` instead of `Limt`.')
  for (const path of ['/epoch?x=1', '/validators?limits=5&hush=1', '/price?=1', '/health?verbose']) {
    assert.equal((await refused(app, `/api/v1/staking${path}`)).error, 'invalid_input', path)
  }
})

test('400: no text of the schema library reaches a caller', async () => {
  await using app = await openSandboxApp()
  const bodies = [
    {},
    { amount: 5 },
    { amount: AMOUNT, exclude: 'all', explain: 'yes' },
    { amount: AMOUNT, maxValidators: 'three', riskAversion: null, maxShare: {} },
    [],
    'text',
    null,
  ]
  const executions = [
    { sender: '0x1', commands: [] },
    { sender: '0x1', commands: [{ kind: 'unknown' }] },
    { sender: '0x1', commands: [{ kind: 'coin' }] },
    { sender: '0x1', commands: [{ kind: 'transferToSender', objects: [{ kind: 'pure', type: 'x' }] }] },
  ]
  const key = await app.client().sandboxKey({ agentName: 'prober' })
  const headers = { 'X-API-Key': key.data.apiKey, 'Content-Type': 'application/json' }
  const send = (path: string, body: unknown) =>
    refused(app, path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answers = [
    ...(await Promise.all(bodies.map((body) => send('/api/v1/staking/agent/allocate', body)))),
    ...(await Promise.all(executions.map((body) => send('/api/v1/sandbox/execute', body)))),
  ]
  for (const { status, message, details = [] } of answers) {
    assert.equal(status, 400)
    const texts = [message, ...details.map((detail) => detail.message)].join('\n')
    assert.doesNotMatch(texts, /Invalid|expected|received|Too (?:small|big)|Unrecognized/)
  }
})

test('401: a token in place of a key, and a key in place of a token, are recognized', async () => {
  await using app = await openSandboxApp()
  const token = await signIn(app, 'ann@example.com')
  const { data } = await app.client().sandboxKey({ agentName: 'scout' })
  const swapped = await refused(app, '/api/v1/staking/agent/usage', { headers: { 'X-API-Key': token } })
  assert.match(swapped.message, /^This is a user token, and an API key is required/)
  assert.deepEqual(swapped.next, GET_KEY)
  for (const headers of [{ Authorization: `Bearer ${data.apiKey}` }, { 'X-API-Key': data.apiKey }]) {
    const other = await refused(app, '/api/v1/agents', { headers: new Headers(Object.entries(headers)) })
    assert.equal(other.status, 401)
    assert.match(other.message, /API key.*user token|user token.*API keys/)
    assert.deepEqual(other.next, { method: 'POST', path: '/api/v1/auth/code', needs: ['email'] })
  }
})

test('401 and 404 say which call to make next', async () => {
  await using app = await openTestApp({ env: { ADMIN_EMAILS: 'root@example.com' } })
  const noKey = await refused(app, '/api/v1/staking/agent/metadata')
  assert.deepEqual(noKey.next, GET_KEY)
  assert.equal(noKey.retryable, false)
  const noValidator = await refused(app, '/api/v1/staking/validators/0x1')
  assert.deepEqual(noValidator.next, { method: 'GET', path: '/api/v1/staking/validators' })
})

test('403 says which call to make next, and 503 when to repeat the same call', async () => {
  await using app = await openSandboxApp()
  const { apiKey } = await registerAgent(app, { email: 'ann@example.com' })
  const free = app.client({ apiKey })
  const { status, next } = await refusalOf(free.backtest({ amount: AMOUNT, epochs: 7 }))
  assert.deepEqual([status, next], [403, GET_KEY])
  app.clock.advance(DAY_MS)
  const late = await refusalOf(free.allocate({ amount: AMOUNT }))
  assert.deepEqual([late.status, late.retryable, late.next], [503, true, undefined])
  assert((late.retryAfterSeconds ?? 0) > 0)
})

test('400 and 401: a refused value comes with the call that has valid ones', async () => {
  await using app = await openSandboxApp()
  const key = await app.client().sandboxKey({ agentName: 'prober' })
  const headers = { 'X-API-Key': key.data.apiKey, 'Content-Type': 'application/json' }
  const sent = async (path: string, body: unknown) =>
    (await refused(app, path, { method: 'POST', headers, body: JSON.stringify(body) })).next?.path
  const agent = '/api/v1/staking/agent'
  const [{ id = '' } = {}] = (await app.client().validators({ status: 'active', limit: 1 })).data
  const wallet = { agentName: 'x', address: '0x1', nonce: 'none', signature: 'none' }
  const asked: readonly (readonly [string, unknown, string])[] = [
    [`${agent}/tx/stake`, { validatorId: '0x1', amount: AMOUNT }, '/api/v1/staking/validators'],
    [`${agent}/tx/stake`, { validatorId: id, amount: '1' }, `${agent}/metadata`],
    [`${agent}/tx/stake`, { validatorId: 'Meridian', amount: AMOUNT }, '/api/v1/staking/validators'],
    [`${agent}/allocate`, { amount: '1.5' }, `${agent}/metadata`],
    [`${agent}/tx/unstake`, { stakedTokenId: '0x1' }, `${agent}/positions`],
    [`${agent}/tx/unstake`, { validatorId: id }, `${agent}/positions`],
    [`${agent}/tx/withdraw`, { stakedTokenId: '0x1' }, `${agent}/positions`],
    [`${agent}/allocate`, { amount: '1' }, `${agent}/metadata`],
    [`${agent}/allocate`, { amount: AMOUNT, exclude: ['0x1'] }, '/api/v1/staking/validators'],
    ['/api/v1/agents/self-register', wallet, '/api/v1/agents/challenge'],
    ['/api/v1/auth/token', { email: 'a@example.com', code: '123456' }, '/api/v1/auth/code'],
  ]
  for (const [path, body, next] of asked) assert.equal(await sent(path, body), next, path)
})

test('400: the fix fits the mistake in each field', async () => {
  await using app = await openSandboxApp()
  const fixOf = async (body: object) => (await refusalOf(app.agent.allocate(body as never))).fix
  assert.equal(await fixOf({ amount: AMOUNT, zzz: 1 }), 'Leave out `zzz`.')
  assert.equal(
    await fixOf({ amount: 'x', zzz: 1, max_share: 1 }),
    'Use `maxShare` instead of `max_share`. Leave out `zzz`. Send `amount` as tokens times 10^`decimals`, in digits: GET /api/v1/staking/agent/metadata has `decimals`.',
  )
  assert.equal(await fixOf({ maxValidators: 3 }), 'Add `amount`.')
  assert.equal(
    await fixOf({ amount: 9_000_000 }),
    'Put `amount` in quotes: it is a string of digits, tokens times 10^`decimals`.',
  )
  const [{ id = '' } = {}] = (await app.client().validators({ status: 'active', limit: 1 })).data
  for (const refusal of [
    app.agent.allocate({ amount: '5000' }),
    app.agent.backtest({ amount: '5000' }),
    app.agent.buildStake({ amount: '5000', validatorId: id }),
  ])
    assert.match(
      (await refusalOf(refusal)).fix ?? '',
      /^Send at least \d+ smallest units .*: tokens times 10\^/,
    )
  assert.equal(
    await fixOf({ amount: AMOUNT, maxValidators: 0 }),
    'Correct `maxValidators`, which must be at least 1, and send the request again.',
  )
  const sorted = await refused(app, '/api/v1/staking/validators?sort=-apy')
  assert.equal(sorted.fix, 'Send "apy" as `sort` and "desc" as `order`, if that is what you mean.')
  for (const amount of ['0001000000000000', ' 1000000000000 '])
    assert.equal(await fixOf({ amount }), 'Send `amount` without leading zeros and spaces.')
  assert.equal(await fixOf({ amount: AMOUNT, maxShareOf: 1 }), 'Use `maxShare` instead of `maxShareOf`.')
  const inUrl = await refused(app, '/api/v1/staking/validators?api_key=stk_secret')
  assert.match(inUrl.fix, /header X-API-Key/)
  assert.doesNotMatch(JSON.stringify(inUrl), /stk_secret/)
  const twice = await refused(app, '/api/v1/staking/validators?limit=1&limit=2')
  assert.equal(twice.message, '`limit` is given 2 times; give it once.')
})

test('400: the fix of a list that needs several items, of keepLiquid and of a foreign token is an action that helps', async () => {
  await using app = await openSandboxApp()
  const fixOf = async (call: Promise<unknown>) => (await refusalOf(call)).fix ?? ''
  const join = (stakedTokenIds: unknown) => fixOf(app.agent.buildJoin({ stakedTokenIds } as never))
  assert.equal(await join('0x1'), 'Send `stakedTokenIds` as a list of at least 2 items.')
  assert.equal(
    await fixOf(app.agent.allocate({ amount: AMOUNT, exclude: '0x1' } as never)),
    'Send `exclude` as a list, also when it has one item.',
  )

  const kept = (amount: string, withinEpochs: number, of = AMOUNT) =>
    app.agent.allocate({ amount: of, keepLiquid: { amount, withinEpochs } })
  const more = String(BigInt(AMOUNT) + 1n)
  assert.match(await fixOf(kept(more, 0)), new RegExp(`^Send at most ${AMOUNT} smallest units`))
  const [, enough = '', epochs = ''] =
    /^Allocate at least (\d+), or set its `withinEpochs` to (\d):/.exec(await fixOf(kept(AMOUNT, 0))) ?? []
  await kept(AMOUNT, Number(epochs))
  assert.equal((await kept(AMOUNT, 0, enough)).allocations.length, 1)

  const sender = `0x${'b1'.repeat(32)}`
  const { validators } = await app.agent.scoredValidators()
  const staked = async (validatorId = '') => {
    const { commands } = await app.agent.buildStake({ validatorId, amount: '5000000000', sender })
    const { created } = await app.agent.sandboxExecute({ sender, commands })
    return created[0]?.stakedTokenId ?? ''
  }
  const [one, two] = [await staked(validators[0]?.validatorId), await staked(validators[1]?.validatorId)]
  assert.match(await join([one, two]), /^Leave it out, because the chain joins only tokens of one validator/)
  const foreign = fixOf(app.agent.buildUnstake({ stakedTokenId: one, sender: '0x1' }))
  assert.equal(await foreign, `Send ${sender}: only that address can sign for it.`)

  const { commands } = await app.agent.buildWithdraw({ stakedTokenId: one, sender })
  await app.agent.sandboxExecute({ sender, commands })
  const repeated = await refusalOf(app.agent.sandboxExecute({ sender, commands }))
  assert.match(
    repeated.fix ?? '',
    /^If this transaction was executed before, it has used up the object: look/,
  )
  assert.match(repeated.next?.path ?? '', new RegExp(`owner=${sender}$`))
})

test('every call that is named in a text of the sources exists in the API', () => {
  const calls = new Set(Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`))
  const root = new URL('../../../', import.meta.url)
  for (const folder of ['server/src', 'contract/src', 'cli/src', 'client/src']) {
    for (const file of globSync(`${folder}/**/*.ts`, { cwd: root })) {
      const text = readFileSync(new URL(file, root), 'utf8')
      for (const [call] of text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/api\/v1\/[\w/{}-]+/g))
        assert(calls.has(call), `${file}: ${call}`)
    }
  }
})

test('404: a path that is nearly right is answered with the right one', async () => {
  await using app = await openTestApp()
  const near = {
    '/api/v1/staking/validator': '/api/v1/staking/validators',
    '/api/v1/staking/validators/': '/api/v1/staking/validators',
    '/api/v1/Staking/epoch': '/api/v1/staking/epoch',
    '/API/V1/staking/epoch': '/api/v1/staking/epoch',
    '/api/v1/staking/agent/allocat?x=1': '/api/v1/staking/agent/allocate',
    '/api/v1/staking/validators/0x1/apy-hstory': '/api/v1/staking/validators',
    '/staking/epoch': '/api/v1/staking/epoch',
    '/api/v1/validators': '/api/v1/staking/validators',
    '/api/v1/allocate': '/api/v1/staking/agent/allocate',
    '/api/v1': '/',
    '/api/': '/',
    '/openapi.yaml': '/openapi.json',
    '/swagger.json': '/openapi.json',
    '/api/v1/openapi.json': '/openapi.json',
    '/v3/api-docs': '/openapi.json',
    '/.well-known/mcp.json': '/.well-known/mcp/server-card.json',
    '/.well-known/mcp/server-card': '/.well-known/mcp/server-card.json',
    '/server.json': '/.well-known/mcp/server-card.json',
    '/.well-known/agent-skills/stakewright/skill.md': '/.well-known/agent-skills/stakewright/SKILL.md',
  }
  for (const [path, meant] of Object.entries(near)) {
    const { status, next } = await refused(app, path)
    assert.deepEqual([status, next?.path], [404, meant], path)
  }
  for (const path of ['/api/v1/nothing/like/it', '/wp-login.php', `/${'a/'.repeat(500)}`]) {
    const { next } = await refused(app, path)
    assert.equal(next?.path, '/llms.txt', path)
  }
})

test('400: a missing field is called missing, and `next` has an example of the call if sending it does no harm', async () => {
  await using app = await openTestApp()
  const refusedKey = (body: string) =>
    refused(app, '/api/v1/sandbox/keys', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
  const { details = [] } = await refusedKey('{}')
  assert.match(details[0]?.message ?? '', /^is required; it must be 1 to 64/)
  for (const nothing of ['', '{}', '[]', 'null'])
    assert.deepEqual((await refusedKey(nothing)).next, GET_KEY, nothing)
  const { apiKey } = await admitAgent(app, { tier: 'builder' })
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey }
  const nextOf = async (path: string) =>
    (await refused(app, `/api/v1/staking/agent/${path}`, { method: 'POST', headers, body: '{}' })).next
  const validators = { method: 'GET', path: '/api/v1/staking/validators' }
  assert.deepEqual(await nextOf('tx/stake'), validators, 'no validator, amount or sender of ours')
  assert.equal(await nextOf('rebalance-plan'), undefined, 'nobody is led to the positions of others')
  const large = { method: 'POST', headers, body: '{"amount":12345678901234567890}' }
  assert.match(
    (await refused(app, '/api/v1/staking/agent/allocate', large)).message,
    /^The number `amount` is too large to be exact/,
  )
  const count = { method: 'POST', headers, body: `{"amount":"${AMOUNT}","maxValidators":9007199254740993}` }
  assert.equal(
    (await refused(app, '/api/v1/staking/agent/allocate', count)).fix,
    'Send an amount as a string of digits, and a smaller number in any other field.',
  )
  const harmful = await refused(app, '/api/v1/agents/self-register', { method: 'POST' })
  assert.equal(harmful.next, undefined, 'an example that sends a mail must not be sent as it is')
})

test('400: the error of a call without input suggests no amount, sender or id', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'empty-handed' })).data
  const rows: Readonly<Record<string, EndpointSpec>> = ENDPOINTS
  const tried: string[] = []
  for (const [name, { method, path, auth }] of Object.entries<Route>(ROUTES)) {
    if (rows[name]?.body === undefined || auth === 'user-token') continue
    const headers = {
      'Content-Type': 'application/json',
      ...(auth === 'agent-key' && { 'X-API-Key': apiKey }),
    }
    const response = await fetch(app.url + path, { method, headers, body: '{}' })
    const { next }: Partial<ErrorBody> = JSON.parse(await response.text())
    assert.deepEqual(Object.keys(next?.body ?? {}), name === 'sandboxKey' ? ['agentName'] : [], name)
    if (!response.ok) tried.push(name)
  }
  assert(tried.includes('buildStake') && tried.includes('sandboxExecute') && tried.length > 12, tried.join())
})

test('400: an example never replaces input that the caller has sent', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app)
  const { fix, next } = await refused(app, '/api/v1/staking/agent/tx/stake', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
    body: '{"validator":"0x1","amount":"7000000000000"}',
  })
  assert.match(fix, /validatorId/)
  assert.equal(next, undefined)
})

test('404: the suggested call has the method that was used, and similar words', async () => {
  await using app = await openTestApp()
  const suggestion = async (path: string) => (await refused(app, path, { method: 'POST' })).next
  assert.deepEqual(await suggestion('/api/v1/agents/selfregister'), {
    method: 'POST',
    path: '/api/v1/agents/self-register',
    needs: ['email', 'agentName'],
  })
  assert.deepEqual(await suggestion('/api/v1/agent/allocate'), {
    method: 'POST',
    path: '/api/v1/staking/agent/allocate',
    needs: ['amount'],
  })
})

test('no error refers to `details` or `next` without having them', async () => {
  await using app = await openTestApp()
  const path = '/api/v1/sandbox/keys'
  const requests: [string, RequestInit][] = [
    [path, { method: 'POST' }],
    [path, { method: 'POST', body: 'agentName=x' }],
    [path, { method: 'PUT' }],
    ['/api/v1/staking/agent/metadata', { headers: { Authorization: 'stk_x' } }],
    ['/api/v1/staking/epoch?x=1', {}],
    ['/mcp', {}],
  ]
  for (const [path, init] of requests) {
    const { fix, details, next } = await refused(app, path, init)
    if (fix.includes('details')) assert(details, path)
    if (fix.includes('`next`')) assert(next, path)
  }
  assert.deepEqual((await refused(app, '/mcp')).next, { method: 'POST', path: '/mcp' })
})

test('404: the right words in a wrong path lead to its endpoint', async () => {
  await using app = await openTestApp()
  for (const [path, method, meant] of [
    ['/api/v1/agent/allocate', 'POST', ROUTES.allocate.path],
    ['/api/v1/staking/agent/rebalance', 'POST', ROUTES.planRebalance.path],
    ['/api/v1/staking/agent/validators', 'GET', ROUTES.scoredValidators.path],
  ] as const) {
    const { status, next } = await refused(app, path)
    assert.deepEqual([status, next?.method, next?.path], [404, method, meant], path)
  }
})

test('400: the fix of a bad cursor is to leave it out, that of a validator’s name to search for it', async () => {
  await using app = await openTestApp()
  const cursor = await refused(app, '/api/v1/staking/validators?cursor=zzz')
  assert.equal(cursor.fix, 'Leave out `cursor` to begin at the first page.')
  const named = await refused(app, '/api/v1/staking/validators/Mossy%20Ridge')
  assert.match(named.fix, /`search` finds a validator by name/)
  assert.equal(named.next?.path, '/api/v1/staking/validators')
  const network = await refused(app, '/api/v1/staking/validators?network=ika-mainnet')
  assert.match(network.message, /this service is on one network/)
  assert.equal(network.next?.path, '/api/v1/staking/network')
})

test('400: the answer stays small, however many fields are wrong', async () => {
  await using app = await openTestApp()
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field${at}`, 1]))
  const { details = [], message } = await refused(app, '/api/v1/sandbox/keys', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(many),
  })
  assert.equal(details.length, 20)
  assert.match(message, /and 3000 more/)
})

test('403: the fix is what the message says to do', async () => {
  await using app = await openTestApp()
  const user = app.client({ token: await signIn(app, 'ann@example.com') })
  const pro = await refusalOf(user.registerAgent({ agentName: 'x', tier: 'pro' }))
  assert.deepEqual([pro.code, pro.fix], ['forbidden', 'Ask the operator of the service.'])
})

test('429: `retryable` is true', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1' } })
  await fetch(`${app.url}/api/v1/staking/epoch`)
  const limited = await refused(app, '/api/v1/staking/epoch')
  assert.deepEqual([limited.status, limited.retryable], [429, true])
})
