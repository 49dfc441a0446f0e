import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '@stakewright/contract/routes'
import { admitAgent } from '../support/admitted-agent.ts'
import { openTestApp } from '../support/test-app.ts'

const APP = 'https://app.example.org'
const ENV = { CORS_ORIGINS: `${APP}, http://localhost:5173` }
const USAGE = '/api/v1/staking/agent/usage'
const STRANGERS = [
  'https://evil.example',
  'https://app.example.org.evil.example',
  'http://app.example.org',
  'null',
  `${APP}:444`,
]

/** The preflight request of a browser. */
const preflight = (url: string, origin: string, method: string, headers: string) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
  })

/** Whether the Fetch standard allows the call after this answer to a preflight request. */
function mayCall(answer: Response, origin: string, method: string, headers: string): boolean {
  const listOf = (name: string) => (answer.headers.get(name) ?? '').toLowerCase().split(/, */)
  const isAllowed = [origin, '*'].includes(answer.headers.get('access-control-allow-origin') ?? '')
  const hasMethod = listOf('access-control-allow-methods').includes(method.toLowerCase())
  const hasHeaders = headers
    .split(', ')
    .every((name) => listOf('access-control-allow-headers').includes(name))
  return answer.ok && isAllowed && hasMethod && hasHeaders
}

test('a configured origin may send every keyed call, with key or token, and no other origin may', async () => {
  await using app = await openTestApp({ env: { ...ENV, LIMIT_IP_RPM: '100000' } })
  const keyed = Object.values(ROUTES).filter(({ auth }) => auth !== 'none')
  assert(keyed.length > 20)
  for (const { method, path } of [...keyed, { method: 'POST', path: '/mcp' }]) {
    const url = app.url + path.replaceAll(/\{\w+\}/g, 'x')
    for (const sent of ['x-api-key', 'authorization, content-type, idempotency-key']) {
      assert(mayCall(await preflight(url, APP, method, sent), APP, method, sent), `${method} ${path}`)
    }
    for (const stranger of STRANGERS) {
      const answer = await preflight(url, stranger, method, 'x-api-key')
      assert(!mayCall(answer, stranger, method, 'x-api-key'), `${stranger}: ${method} ${path}`)
    }
  }
})

test('a page of a configured origin reads answers, refusals and the limits in their headers; others read none', async () => {
  await using app = await openTestApp({ env: ENV })
  const { apiKey } = await admitAgent(app)
  for (const [key, status] of [
    [apiKey, 200],
    ['stk_wrong', 401],
  ] as const) {
    const answer = await fetch(app.url + USAGE, { headers: { origin: APP, 'x-api-key': key } })
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('access-control-allow-origin'), APP)
    assert.equal(answer.headers.get('vary'), 'origin')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    const readable = answer.headers.get('access-control-expose-headers') ?? ''
    for (const [name] of answer.headers)
      if (name.startsWith('x-ratelimit')) assert(readable.split(', ').includes(name), name)
    for (const origin of STRANGERS) {
      const other = await fetch(app.url + USAGE, { headers: { origin, 'x-api-key': key } })
      assert.equal(other.headers.get('access-control-allow-origin'), null, origin)
    }
  }
  const missing = await fetch(`${app.url}/api/v1/nothing`, { headers: { origin: APP } })
  assert.deepEqual([missing.status, missing.headers.get('access-control-allow-origin')], [404, APP])
})

test('public reads stay open to every origin, in one header', async () => {
  await using app = await openTestApp({ env: ENV })
  for (const origin of [APP, 'https://elsewhere.example']) {
    const { headers } = await fetch(`${app.url}/api/v1/staking/epoch`, { headers: { origin } })
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-expose-headers'), '*')
  }
})

test('a page of any origin can read that it sent too much, and when to try again', async () => {
  for (const env of [{}, ENV]) {
    await using app = await openTestApp({ env: { ...env, LIMIT_IP_RPM: '1' } })
    const send = (origin: string) => fetch(`${app.url}/api/v1/staking/epoch`, { headers: { origin } })
    await send(APP)
    for (const origin of [APP, 'https://elsewhere.example']) {
      const { status, headers } = await send(origin)
      assert.equal(status, 429)
      assert([origin, '*'].includes(headers.get('access-control-allow-origin') ?? ''), origin)
      const readable = headers.get('access-control-expose-headers') ?? ''
      assert(readable === '*' || readable.split(', ').includes('retry-after'), readable)
    }
  }
})

/** Headers that every page may read, or that only the browser needs. */
const OF_THE_BROWSER =
  /^(?:access-control-.*|alt-svc|cache-control|connection|content-.*|date|keep-alive|referrer-policy|strict-transport-security|transfer-encoding|vary|x-content-type-options)$/

test('a page of a configured origin can read every header that the API answers with', async () => {
  await using app = await openTestApp({ env: ENV })
  const { apiKey } = await admitAgent(app)
  const register = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
    body: '{"email":"ann@example.com","agentName":"x"}',
  }
  const requests: readonly (readonly [string, RequestInit])[] = [
    [USAGE, { headers: { 'x-api-key': apiKey } }],
    [USAGE, {}],
    ['/api/v1/agents/self-register', register],
    ['/api/v1/agents/self-register', register],
  ]
  const found = new Set<string>()
  for (const [path, init] of requests) {
    const headers = { ...init.headers, origin: APP }
    const answer = await fetch(app.url + path, { ...init, headers })
    const readable = (answer.headers.get('access-control-expose-headers') ?? '').split(', ')
    for (const [name] of answer.headers) {
      if (OF_THE_BROWSER.test(name)) continue
      found.add(name)
      assert(readable.includes(name), `${path}: ${name}`)
    }
  }
  for (const name of ['idempotent-replayed', 'www-authenticate']) assert(found.has(name), [...found].join())
})

test('MCP takes the configured origins and refuses others', async () => {
  await using app = await openTestApp({ env: ENV })
  const send = async (origin: string) =>
    (
      await fetch(`${app.url}/mcp`, {
        method: 'POST',
        headers: {
          origin,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      })
    ).status
  assert.notEqual(await send(APP), 403)
  assert.equal(await send('https://evil.example'), 403)
})

test('without CORS_ORIGINS no page of another origin sends a keyed call', async () => {
  await using app = await openTestApp()
  assert(!mayCall(await preflight(app.url + USAGE, APP, 'GET', 'x-api-key'), APP, 'GET', 'x-api-key'))
  const answer = await fetch(app.url + USAGE, { headers: { origin: APP } })
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
})
