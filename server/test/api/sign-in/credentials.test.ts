import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import { type RawAnswer, sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { silentLogger } from '../../support/silent-logger.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const METADATA = 'GET /api/v1/staking/agent/metadata'
const AGENTS = 'GET /api/v1/agents'

async function openWithCredentials() {
  const app = await openTestApp({ env: { ADMIN_EMAILS: 'root@example.com', LIMIT_IP_RPM: '1000' } })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const rateLimits = { rpm: 1_000, rpd: 1_000 }
  const newKey = async () => (await admin.registerAgent({ agentName: 'x', rateLimits })).data.apiKey
  const [key, other] = [await newKey(), await newKey()]
  const token = await signIn(app, ANN)
  const send = (target: string, ...headers: readonly string[]) => sendRaw(app.url, target, { headers })
  return { app, key, other, token, send, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** Changes one character, so that the checksum is wrong. */
const mistyped = (key: string) =>
  key.replace(/^(stk_)./, (_, start) => `${start}${key[4] === 'a' ? 'b' : 'a'}`)

function checkRefusal(answer: RawAnswer, status: number, what: string): void {
  assert.equal(answer.status, status, `${what}: ${answer.text}`)
  assert.equal(answer.headers['x-ratelimit-remaining'], undefined, what)
  if (status === 401) assert.equal(answer.headers['www-authenticate'], 'Bearer realm="stakewright"', what)
}

test('200: a key under either header, under both when they agree, and however Bearer is spelled', async () => {
  await using opened = await openWithCredentials()
  const { key, send } = opened
  const accepted: readonly (readonly string[])[] = [
    ['X-API-Key', key],
    ['x-api-key', key],
    ['Authorization', `Bearer ${key}`],
    ['Authorization', `bearer ${key}`],
    ['Authorization', `BEARER ${key}`],
    ['Authorization', `Bearer   ${key}`],
    ['X-API-Key', key, 'Authorization', `Bearer ${key}`],
    ['X-API-Key', ` ${key} `],
  ]
  for (const headers of accepted) {
    const { status } = await send(METADATA, ...headers)
    assert.equal(status, 200, headers.join(': '))
  }
})

test('400: credentials that differ, or come twice, are refused rather than chosen between', async () => {
  await using opened = await openWithCredentials()
  const { key, other, token, send } = opened
  const refused: readonly (readonly string[])[] = [
    ['X-API-Key', key, 'Authorization', `Bearer ${other}`],
    ['X-API-Key', key, 'Authorization', `Bearer ${token}`],
    ['X-API-Key', key, 'X-API-Key', key],
    ['X-API-Key', key, 'x-api-key', other],
    ['Authorization', `Bearer ${key}`, 'Authorization', `Bearer ${key}`],
    ['Authorization', `Bearer ${key}`, 'authorization', `Bearer ${other}`],
  ]
  for (const headers of refused) {
    checkRefusal(await send(METADATA, ...headers), 400, headers.join(': '))
    checkRefusal(await send(AGENTS, ...headers), 400, headers.join(': '))
  }
})

test('401: a key in a wrong place is not read', async () => {
  await using opened = await openWithCredentials()
  const { app, key, send } = opened
  const misplaced: readonly (readonly [string, readonly string[]])[] = [
    [`${METADATA}?api_key=${key}`, []],
    [`${METADATA}?X-API-Key=${key}`, []],
    [METADATA, ['Cookie', `X-API-Key=${key}`]],
    [METADATA, ['Api-Key', key]],
    [METADATA, ['Proxy-Authorization', `Bearer ${key}`]],
  ]
  for (const [target, headers] of misplaced) checkRefusal(await send(target, ...headers), 401, target)
  const json = { amount: '5000000000', apiKey: key }
  checkRefusal(await sendRaw(app.url, 'POST /api/v1/staking/agent/allocate', { json }), 401, 'body')
})

test('401: a secret in the URL is refused with the right header, and is in neither the answer nor the log', async () => {
  const lines: unknown[] = []
  const note = (...line: unknown[]) => void lines.push(...line)
  const logger: Logger = { ...silentLogger, info: note, warn: note, error: note }
  await using app = await openTestApp({ logger })
  for (const [target, header] of [
    [`${METADATA}?api_key=stk_secret`, /as the header X-API-Key/],
    [`${AGENTS}?access_token=stk_secret`, /as the header Authorization: Bearer/],
  ] as const) {
    const [, path = ''] = target.split(' ')
    const response = await fetch(`${app.url}${path}`)
    const answer = await response.json()
    assert.equal(response.status, 401)
    assert.match(answer.message, /is not read from the URL/)
    assert.match(answer.fix, header)
    assert(!JSON.stringify([answer, lines]).includes('stk_secret'))
  }
  assert(lines.length > 0)
  checkRefusal(await sendRaw(app.url, `${METADATA}?api_key=%`), 401, 'a query that cannot be read')
})

test('401: a key is no token and a token is no key', async () => {
  await using opened = await openWithCredentials()
  const { key, token, send } = opened
  checkRefusal(await send(METADATA, 'Authorization', `Bearer ${token}`), 401, 'a token on an agent path')
  checkRefusal(await send(METADATA, 'X-API-Key', token), 401, 'a token as X-API-Key')
  checkRefusal(await send(AGENTS, 'Authorization', `Bearer ${key}`), 401, 'a key on a management path')
  checkRefusal(await send(AGENTS, 'X-API-Key', key), 401, 'a key as X-API-Key')
  checkRefusal(await send(AGENTS, 'X-API-Key', token), 401, 'a token as X-API-Key on a management path')
})

test('401: malformed credentials', async () => {
  await using opened = await openWithCredentials()
  const { key, send } = opened
  const shapes: readonly (readonly string[])[] = [
    [],
    ['X-API-Key', ''],
    ['X-API-Key', `${key},${key}`],
    ['X-API-Key', `${key}\t${key}`],
    ['X-API-Key', `"${key}"`],
    ['X-API-Key', key.toUpperCase()],
    ['X-API-Key', 'x'.repeat(12_000)],
    ['Authorization', key],
    ['Authorization', `Basic ${btoa(`${key}:`)}`],
    ['Authorization', `Bearer${key}`],
    ['Authorization', 'Bearer'],
    ['Authorization', 'Bearer '],
    ['Authorization', `Bearer ${key} ${key}`],
    ['Authorization', `Bearer ${'x'.repeat(12_000)}`],
  ]
  for (const headers of shapes) {
    const what = headers.join(': ').slice(0, 80)
    checkRefusal(await send(METADATA, ...headers), 401, what)
    checkRefusal(await send(AGENTS, ...headers), 401, what)
  }
})

test('431: a header of 16 KB is too large', async () => {
  await using opened = await openWithCredentials()
  const answer = await opened.send(METADATA, 'X-API-Key', 'x'.repeat(16_384))
  assert.equal(answer.status, 431)
  assert.equal(JSON.parse(answer.text).error, 'invalid_input')
})

test('401: unknown, mistyped, malformed and foreign keys get the same bytes', async () => {
  await using opened = await openWithCredentials()
  await using elsewhere = await openTestApp()
  const foreign = (await registerAgent(elsewhere, { email: ANN })).apiKey
  const { key, send } = opened
  const refusal = async (text: string) => {
    const { headers, ...answer } = await send(METADATA, 'X-API-Key', text)
    const { date, 'x-request-id': id, ...constant } = headers
    return { body: withoutRequestId({ headers, ...answer }), headers: constant }
  }
  const unknown = await refusal(foreign)
  const others = [mistyped(key), key.slice(0, 12), `${key}x`, 'x', 'stk_', key.replace('stk', 'abc')]
  for (const text of others) assert.deepEqual(await refusal(text), unknown, text)
})
