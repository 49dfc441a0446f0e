import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawClient, sendRaw } from '../edge/raw-client.ts'
import { readAuditOf } from '../limits/read-audit.ts'
import { openTestApp } from '../support/test-app.ts'

const portOf = (url: string) => Number(new URL(url).port)

test('429: malformed requests count towards the limit of their address', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '4' } })
  const port = portOf(app.url)
  const statuses: (number | undefined)[] = []
  for (const bytes of [
    'BAD\r\n\r\n',
    'GET / HTTP/9\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
  ])
    statuses.push((await sendRaw(port, bytes))[0]?.status)
  assert.deepEqual(statuses, [400, 400, 400, 405])
  const [refused] = await sendRaw(port, 'BAD\r\n\r\n')
  assert.equal(refused?.status, 429)
  assert.match(refused?.body ?? '', /"error":"rate_limited"/)
  assert(Number(refused?.headers['retry-after']) > 0)
  assert.equal((await fetch(`${app.url}/api/v1/staking/epoch`)).status, 429)
  app.clock.advance(60_000)
  assert.equal((await fetch(`${app.url}/api/v1/staking/epoch`)).status, 200)
  await app.stop()
  const { refusals } = await readAuditOf(app.folder)
  const logged = new Map<number, number>()
  for (const [, endpoint, status, , weight] of refusals)
    if (endpoint === '(malformed)') logged.set(status, (logged.get(status) ?? 0) + weight)
  assert.deepEqual(Object.fromEntries(logged), { 400: 3, 405: 1, 429: 1 })
})

test('a malformed request behind a valid one on the same connection is counted, and answered in order', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '3' } })
  await using client = await rawClient(portOf(app.url))
  client.send('GET /api/v1/staking/epoch HTTP/1.1\r\nHost: localhost\r\n\r\nBAD\r\n\r\n')
  const answers = await client.untilClosed()
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400],
  )
  const left = [
    await fetch(`${app.url}/api/v1/staking/epoch`),
    await fetch(`${app.url}/api/v1/staking/epoch`),
  ]
  assert.deepEqual(
    left.map(({ status }) => status),
    [200, 429],
  )
})
