import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import { rawClient, sendRaw } from '../edge/raw-client.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const EPOCH = '/api/v1/staking/epoch'

function sender(app: TestApp) {
  const send = async (forwarded?: string, path = EPOCH) =>
    fetch(app.url + path, { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } })
  const statuses = async (all: readonly (string | undefined)[]) => {
    const found: number[] = []
    for (const forwarded of all) found.push((await send(forwarded)).status)
    return found
  }
  return { send, statuses }
}

const errorOf = async (response: Response) => /"error":"(\w+)"/.exec(await response.text())?.[1]

test('429: an address gets its limit in every minute, and Retry-After is exact', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '3' } })
  app.clock.advance(18_500)
  const { send, statuses } = sender(app)
  assert.deepEqual(await statuses([undefined, undefined, undefined]), [200, 200, 200])
  const refused = await send()
  assert.deepEqual([refused.status, await errorOf(refused)], [429, 'rate_limited'])
  assert.equal(refused.headers.get('retry-after'), '42')
  assert.match(await (await send()).text(), /limit of 3 requests per minute from one address, whatever keys/)
  app.clock.advance(41_000)
  assert.equal((await send()).status, 429)
  app.clock.advance(1_000)
  assert.equal((await send()).status, 200)
})

test('200: probes, reference and pages are not counted and never throttled', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '2' } })
  const { send, statuses } = sender(app)
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/docs',
    '/openapi.json',
    `/verify?token=${'0'.repeat(64)}`,
  ])
    for (let count = 0; count < 3; count += 1) assert.equal((await send(undefined, path)).status, 200, path)
  assert.deepEqual(await statuses([undefined, undefined, undefined]), [200, 200, 429])
  assert.equal((await send(undefined, '/healthz')).status, 200)
})

test('429: a request counts for the budget of its endpoint, however its path is spelled', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '2' } })
  const port = Number(new URL(app.url).port)
  const body = JSON.stringify({ apiKey: 'stk_x' })
  const report = async (target: string) => {
    const head = 'Host: localhost\r\nConnection: close\r\nContent-Type: application/json'
    const bytes = `POST ${target} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const [answer] = await sendRaw(port, bytes)
    return answer?.status
  }
  const plain = '/api/v1/agents/report-leak'
  assert.notEqual(await report(plain), 429)
  assert.notEqual(await report(`http://elsewhere${plain}`), 429)
  for (const target of [
    plain,
    `http://elsewhere${plain}`,
    `HTTPS://elsewhere:443${plain}?x=1`,
    '/api/v1/%61gents/report-leak',
    '/%61pi/v1/agents/report%2Dleak?x=%31',
    'http://elsewhere/api/v1/%61gents/report-leak',
  ])
    assert.equal(await report(target), 429, target)
  assert.deepEqual(await sender(app).statuses([undefined, undefined, undefined]), [200, 200, 429])
})

test('429: an MCP client gets a JSON-RPC error, also if it names the origin in the request target', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1' } })
  const port = Number(new URL(app.url).port)
  assert.deepEqual(await sender(app).statuses([undefined]), [200])
  const head = 'Host: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  const [refused] = await sendRaw(port, `POST http://elsewhere/mcp HTTP/1.1\r\n${head}`)
  assert.equal(refused?.status, 429)
  assert.match(refused?.body ?? '', /"jsonrpc":"2.0"/)
})

test('without trusted proxies nothing that a client says about its address is believed', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '2' } })
  assert.deepEqual(await sender(app).statuses(['1.1.1.1', '2.2.2.2', '3.3.3.3']), [200, 200, 429])
})

test('an X-Forwarded-For that is not believed is logged once, with the setting and without an address', async () => {
  const warnings: string[] = []
  const warn: Logger['warn'] = (event, fields) =>
    void (/forwarded/i.test(event) && warnings.push(`${event} ${JSON.stringify(fields)}`))
  const logger = { ...silentLogger, warn }
  {
    await using app = await openTestApp({ logger })
    await sender(app).statuses([undefined])
    assert.deepEqual(warnings, [])
    await sender(app).statuses(['1.1.1.1', '2.2.2.2'])
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /X-Forwarded-For is ignored.*TRUST_PROXY_HOPS/)
    assert.doesNotMatch(warnings[0] ?? '', /1\.1\.1\.1|127\.0\.0\.1/)
  }
  await using app = await openTestApp({ logger, env: { TRUST_PROXY_HOPS: '1' } })
  await sender(app).statuses(['1.1.1.1'])
  assert.equal(warnings.length, 1)
})

test('with one trusted proxy the last entry counts, and entries further left do not', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '2', TRUST_PROXY_HOPS: '1' } })
  const { statuses } = sender(app)
  assert.deepEqual(
    await statuses(['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1', '7.7.7.7, 1.1.1.1']),
    [200, 200, 429],
  )
  assert.deepEqual(await statuses(['1.1.1.1, 2.2.2.2']), [200])
  // Every spelling of an IPv4 address is that address.
  assert.deepEqual(
    await statuses(['::ffff:3.3.3.3', '3.3.3.3:1234', '[::ffff:0303:0303]:80']),
    [200, 200, 429],
  )
  // All addresses of a /64 belong to one customer.
  assert.deepEqual(
    await statuses(['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2:3:4:5:6']),
    [200, 200, 429],
  )
  assert.deepEqual(await statuses(['2001:db8:1:3::1']), [200])
})

test('with two trusted proxies the second from the right counts', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1', TRUST_PROXY_HOPS: '2' } })
  const { statuses } = sender(app)
  assert.deepEqual(
    await statuses(['6.6.6.6, 1.1.1.1, 5.5.5.5', '1.1.1.1, 4.4.4.4', '2.2.2.2, 4.4.4.4']),
    [200, 429, 200],
  )
})

test('a restart refills no address', async () => {
  await using folder = await tempFolder()
  const options = { env: { LIMIT_IP_RPM: '3', TRUST_PROXY_HOPS: '1' }, folder: folder.path }
  {
    await using app = await openTestApp(options)
    assert.deepEqual(await sender(app).statuses(['1.1.1.1', '1.1.1.1', '2.2.2.2']), [200, 200, 200])
  }
  await using app = await openTestApp(options)
  const again = ['1.1.1.1', '1.1.1.1', '2.2.2.2', '2.2.2.2', '2.2.2.2']
  assert.deepEqual(await sender(app).statuses(again), [200, 429, 200, 200, 429])
})

test('503: above the total limit everybody is refused, until traffic has calmed down; one address alone cannot cause that', async () => {
  await using app = await openTestApp({
    env: { LIMIT_IP_RPM: '6', LIMIT_GLOBAL_RPM: '20', TRUST_PROXY_HOPS: '1' },
  })
  const { send, statuses } = sender(app)
  const alone = await statuses(Array.from({ length: 50 }, () => '1.1.1.1'))
  assert.equal(alone.filter((status) => status === 200).length, 6)
  assert.equal(alone.filter((status) => status === 429).length, 44)
  assert.deepEqual(await statuses(['2.2.2.2']), [200])
  // 7 are counted so far; the 21st is one too many.
  const others = await statuses(Array.from({ length: 13 }, (_, at) => `3.3.3.${at}`))
  assert.deepEqual(new Set(others), new Set([200]))
  const refused = await send('4.4.4.4')
  const error = await errorOf(refused)
  assert.deepEqual(
    [refused.status, error, refused.headers.get('retry-after')],
    [503, 'service_overloaded', '5'],
  )
  assert.equal((await send(undefined, '/healthz')).status, 200)
  // A minute later all is calm, and has to stay so for five seconds.
  app.clock.advance(61_000)
  assert.deepEqual(await statuses(['4.4.4.4']), [503])
  app.clock.advance(4_900)
  assert.deepEqual(await statuses(['4.4.4.4']), [503])
  app.clock.advance(100)
  assert.deepEqual(await statuses(['4.4.4.4', '5.5.5.5']), [200, 200])
})

test('429: an address has at most LIMIT_IP_CONNECTIONS connections', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_CONNECTIONS: '1' } })
  const port = Number(new URL(app.url).port)
  const request = `GET ${EPOCH} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  await using first = await rawClient(port)
  first.send(request)
  assert.equal((await first.next()).status, 200)
  const [refused] = await sendRaw(port, request)
  assert.equal(refused?.status, 429)
  assert.match(refused?.body ?? '', /Too many connections from this address/)
})
