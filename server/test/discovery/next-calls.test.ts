import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type ErrorBody } from '@stakewright/contract'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const AGENT = '/api/v1/staking/agent'
const AMOUNT = '7000000000'

type Sent = { readonly method?: string; readonly body?: unknown; readonly headers?: Record<string, string> }

async function refused(app: Pick<TestApp, 'url'>, path: string, sent: Sent = {}): Promise<ErrorBody> {
  const { method = sent.body === undefined ? 'GET' : 'POST', body, headers } = sent
  const response = await fetch(app.url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert(!response.ok, path)
  return JSON.parse(await response.text())
}

const keyOf = async (app: TestApp) => {
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'follower' })).data
  return { 'x-api-key': apiKey }
}

test('`next` names the fields that the caller must add', async () => {
  await using app = await openTestApp()
  const headers = await keyOf(app)
  const needs = async (path: string, sent: Sent) => (await refused(app, path, sent)).next?.needs
  assert.deepEqual(await needs(`${AGENT}/tx/unstake`, { headers, body: { stakedTokenId: '0x12' } }), [
    'owner',
  ])
  assert.deepEqual(await needs('/api/v1/agents', {}), ['email'])
  assert.deepEqual(await needs('/api/v1/sandbox/key', { method: 'POST' }), ['agentName'])
  assert.deepEqual(await needs('/api/v1/agents/selfregister', { method: 'POST' }), ['email', 'agentName'])
  assert.deepEqual(await needs('/api/v1/agents/self-register', { body: { agentName: 'x' } }), ['address'])
  assert.equal(await needs(`${AGENT}/usage`, {}), undefined, '`next` has a free agent name')
})

test('a refusal names missing input together with the missing key, unless the call has input', async () => {
  await using app = await openTestApp()
  const path = `${AGENT}/tx/stake`
  const key = { method: 'POST', path: '/api/v1/sandbox/keys', body: { agentName: 'yield-scout' } }
  const summaryOf = async (sent: Sent, asked = path) => {
    const { status, next, details } = await refused(app, asked, sent)
    return [status, next, details?.map(({ field }) => field)]
  }
  const needed = ['validatorId', 'amount']
  assert.deepEqual(await summaryOf({ method: 'GET' }), [405, key, needed])
  assert.deepEqual(await summaryOf({ method: 'POST' }), [401, key, needed])
  assert.deepEqual(await summaryOf({ body: { amount: AMOUNT } }), [401, key, undefined])
  assert.deepEqual(await summaryOf({}, `${AGENT}/positions`), [401, key, ['owner']])
  assert.deepEqual(await summaryOf({}, `${AGENT}/positions?owner=0x1`), [401, key, undefined])
  assert.deepEqual(await summaryOf({}, `${AGENT}/usage`), [401, key, undefined])
  const again = { method: 'POST', path, needs: needed }
  assert.deepEqual(await summaryOf({ method: 'GET', headers: await keyOf(app) }), [405, again, needed])
  const { details = [] } = await refused(app, path, { method: 'POST' })
  assert.match(details[0]?.message ?? '', /^is required; .*; GET \/api\/v1\/staking\/validators has the ids$/)
})

test('where one of two fields is enough, `next`, llms.txt, OpenAPI and the input check all say so', async () => {
  await using app = await openTestApp()
  const { next } = await refused(app, `${AGENT}/rebalance-plan`, { headers: await keyOf(app) })
  assert.deepEqual(next, {
    method: 'POST',
    path: `${AGENT}/rebalance-plan`,
    needsOneOf: ['positions', 'owner'],
  })
  const text = async (path: string) => (await fetch(app.url + path)).text()
  assert.match(await text('/llms.txt'), /rebalance-plan`.*— `positions` or `owner`, `maxTargets`\?/)
  const { components } = JSON.parse(await text('/openapi.json?tag=Agent'))
  assert.deepEqual(components.schemas.RebalanceRequest.oneOf, [
    { required: ['positions'] },
    { required: ['owner'] },
  ])
  const { body } = ENDPOINTS.planRebalance
  const [owner, validatorId] = [`0x${'b2'.repeat(32)}`, await someValidator(app)]
  const positions = [{ stakedTokenId: '0x12', validatorId, principal: AMOUNT }]
  const accepted = [{}, { owner }, { positions }, { owner, positions }].map((one) => body.safeParse(one))
  assert.deepEqual(
    accepted.map(({ success }) => success),
    [false, true, true, false],
  )
})

test('`next` contains the values that the caller has sent', async () => {
  await using app = await openTestApp()
  const headers = await keyOf(app)
  const owner = `0x${'b2'.repeat(32)}`
  const unknown = { stakedTokenId: '0x12', sender: owner }
  const positions = (await refused(app, `${AGENT}/tx/unstake`, { headers, body: unknown })).next
  assert.deepEqual(positions, { method: 'GET', path: `${AGENT}/positions?owner=${owner}` })
  assert.equal((await fetch(app.url + positions.path, { headers })).status, 200)
  const joined = { stakedTokenIds: ['0x12', '0x13'], sender: owner }
  assert.deepEqual((await refused(app, `${AGENT}/tx/join`, { headers, body: joined })).next, positions)
  const { commands } = await app
    .client({ apiKey: headers['x-api-key'] })
    .buildStake({ validatorId: await someValidator(app), amount: AMOUNT, sender: owner })
  const agent = app.client({ apiKey: headers['x-api-key'] })
  await agent.sandboxExecute({ sender: owner, commands })
  await agent.sandboxAdvance({ epochs: 3 })
  const [{ stakedTokenId = '' } = {}] = (await agent.positions({ owner })).positions
  const { next } = await refused(app, `${AGENT}/tx/withdraw`, { headers, body: { stakedTokenId } })
  assert.deepEqual(next, { method: 'POST', path: `${AGENT}/tx/unstake`, body: { stakedTokenId } })
  const signed = { stakedTokenId, sender: owner }
  const nextOf = async (path: string, body: object) =>
    (await refused(app, `${AGENT}/tx/${path}`, { headers, body })).next
  const unstake = { method: 'POST', path: `${AGENT}/tx/unstake`, body: signed }
  const withdraw = { method: 'POST', path: `${AGENT}/tx/withdraw`, body: signed }
  assert.deepEqual(await nextOf('withdraw', signed), unstake)
  const batch = { items: [{ action: 'withdraw', stakedTokenId }], sender: owner }
  assert.deepEqual(await nextOf('batch', batch), unstake)
  const requested = await agent.buildUnstake(signed)
  await agent.sandboxExecute({ sender: owner, commands: requested.commands })
  assert.deepEqual(await nextOf('withdraw', signed), withdraw, 'too early')
  assert.deepEqual(await nextOf('unstake', signed), withdraw, 'unstaked before')
  await agent.sandboxAdvance({ epochs: 2 })
  assert.deepEqual(await nextOf('unstake', signed), withdraw, 'due')
})

const someValidator = async (app: TestApp) =>
  (await app.client().validators({ status: 'active', limit: 1 })).data[0]?.id ?? ''

test('`next` never has a path with an unfilled parameter', async () => {
  await using app = await openTestApp()
  const rotate = await refused(app, '/api/v1/agents/rotate', { method: 'POST' })
  assert.match(rotate.message, /\/api\/v1\/agents\/\{id\}\/rotate/)
  assert.deepEqual(rotate.next, { method: 'GET', path: '/api/v1/agents' })
  const history = await refused(app, '/api/v1/staking/validators/0x1/apy-hstory')
  assert.match(history.fix, /\/validators\/\{id\}\/apy-history/)
  assert.deepEqual(history.next, { method: 'GET', path: '/api/v1/staking/validators' })
  const put = await refused(app, '/api/v1/staking/validators/0x1', { method: 'PUT' })
  assert.deepEqual([put.status, put.next?.path], [405, '/api/v1/staking/validators'])
})

test('404: outside the sandbox, its calls are refused as sandbox only, and `next` is the registration', async () => {
  await using app = await openTestApp({ env: { NETWORK: 'sui', SUI_RPC_URLS: 'http://127.0.0.1:9' } })
  for (const path of ['/api/v1/sandbox/keys', '/api/v1/sandbox/execute']) {
    const { message, next } = await refused(app, path, { body: { agentName: 'x' } })
    assert.match(message, /^This is served in the sandbox only\./)
    assert.deepEqual(next, {
      method: 'POST',
      path: '/api/v1/agents/self-register',
      needs: ['email', 'agentName'],
    })
  }
})

test('401: a key with a word or quotes around it gets the advice to send it alone, not to get another', async () => {
  await using app = await openTestApp()
  const key = (await keyOf(app))['x-api-key']
  const wrapped = [
    { 'x-api-key': `Bearer ${key}` },
    { 'x-api-key': `"${key}"` },
    { 'x-api-key': `'${key}'` },
    { authorization: `Bearer "${key}"` },
  ]
  for (const headers of wrapped) {
    const { status, fix, next } = await refused(app, `${AGENT}/usage`, { headers: { ...headers } as never })
    assert.deepEqual([status, next], [401, undefined], JSON.stringify(headers))
    assert.match(fix, /^Send the key alone/)
  }
})

test('an id without 0x, a body field in the URL, and another API version get an exact fix', async () => {
  await using app = await openTestApp()
  const headers = await keyOf(app)
  const id = await someValidator(app)
  for (const validatorId of [id.slice(2), ` ${id}`]) {
    const { fix } = await refused(app, `${AGENT}/tx/stake`, {
      headers,
      body: { validatorId, amount: AMOUNT },
    })
    assert.equal(fix, 'Send `validatorId` with 0x before its 64 digits, and without spaces.')
  }
  const misplaced = await refused(app, `${AGENT}/allocate?amount=3`, { headers, body: { amount: AMOUNT } })
  assert.equal(misplaced.fix, 'Send `amount` in the JSON body, and not in the URL.')
  const { next } = await refused(app, '/api/v2/staking/validators')
  assert.deepEqual(next, { method: 'GET', path: '/api/v1/staking/validators' })
})

test('200: / is JSON or HTML, as the Accept header prefers', async () => {
  await using app = await openTestApp()
  const typeFor = async (accept: string) =>
    (await fetch(app.url, { headers: { accept } })).headers.get('content-type')?.split(';')[0]
  const [html, json] = ['text/html', 'application/json']
  const asked = {
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8': html,
    'application/json;q=0.2, text/html;q=0.9': html,
    'text/html, application/json': html,
    'application/json, text/html;q=0.1': json,
    'application/json;q=0.9,text/html;q=0.2': json,
    'application/json, text/html': json,
    'text/html;q=0': json,
    '*/*': json,
  }
  for (const [accept, type] of Object.entries(asked)) assert.equal(await typeFor(accept), type, accept)
})
