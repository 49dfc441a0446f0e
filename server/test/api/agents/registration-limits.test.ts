import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../src/durations.ts'
import { type RawAnswer, sendRaw } from '../../support/raw-request.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const TARGET = 'POST /api/v1/agents/self-register'
/** The clock starts at 12:00, so that twelve hours are left of its first day. */
const env = { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: '100000' }

function register(app: TestApp, ip: string, agentName = 'x'): Promise<RawAnswer> {
  const json = { email: `${ip.replaceAll(/[.:]/g, '-')}@example.com`, agentName }
  return sendRaw(app.url, TARGET, { headers: ['X-Forwarded-For', ip], json })
}

async function registerMany(app: TestApp, ips: readonly string[]): Promise<number> {
  const answers = await Promise.all(ips.map((ip) => register(app, ip)))
  for (const { status } of answers) assert(status === 201 || status === 429, String(status))
  return answers.filter(({ status }) => status === 201).length
}

const times = (count: number, ip: string) => Array<string>(count).fill(ip)

test('429: three registrations an hour from one address, however many come at once', async () => {
  await using app = await openTestApp({ env })
  assert.equal(await registerMany(app, times(20, '192.0.2.1')), 3)
  assert.equal(await registerMany(app, times(20, '192.0.2.2')), 3)
  const refused = await register(app, '192.0.2.1')
  assert.equal(refused.headers['retry-after'], '3600')
  assert.equal(JSON.parse(refused.text).retryAfterSeconds, 3_600)
})

test('429: Retry-After is exact to the second', async () => {
  await using app = await openTestApp({ env })
  app.clock.advance(1_000_000)
  await registerMany(app, times(3, '192.0.2.1'))
  const refused = await register(app, '192.0.2.1')
  const waitMs = Number(refused.headers['retry-after']) * 1_000
  app.clock.advance(waitMs - 1_000)
  assert.equal((await register(app, '192.0.2.1')).status, 429)
  app.clock.advance(1_000)
  assert.equal((await register(app, '192.0.2.1')).status, 201)
})

test('429: ten registrations a day from one address', async () => {
  await using app = await openTestApp({ env })
  const perHour: number[] = []
  for (let hour = 0; hour < 5; hour += 1) {
    perHour.push(await registerMany(app, times(5, '192.0.2.1')))
    app.clock.advance(HOUR_MS)
  }
  assert.deepEqual(perHour, [3, 3, 3, 1, 0])
  const refused = await register(app, '192.0.2.1')
  assert.equal(Number(refused.headers['retry-after']), 7 * 3_600)
  app.clock.advance(7 * HOUR_MS)
  assert.equal((await register(app, '192.0.2.1')).status, 201)
})

test('429: a hundred registrations a day in total, and not one more however many come at once', async () => {
  await using app = await openTestApp({ env })
  const ips = Array.from({ length: 50 }, (_, index) => times(3, `198.51.100.${index}`)).flat()
  assert.equal(await registerMany(app, ips), 100)
  const refused = await register(app, '203.0.113.1')
  assert.equal(refused.status, 429)
  assert.match(JSON.parse(refused.text).message, /today/)
})

test('429: all addresses of an IPv6 /64 count as one, and so do all spellings of an IPv4 address', async () => {
  await using app = await openTestApp({ env })
  const ips = Array.from({ length: 8 }, (_, index) => `2001:db8:1:2:${index}::${index + 1}`)
  assert.equal(await registerMany(app, ips), 3)
  assert.equal(await registerMany(app, ['::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.1', '192.0.2.1']), 3)
})

test('201: only registrations that succeed count', async () => {
  await using app = await openTestApp({ env })
  for (let round = 0; round < 5; round += 1) {
    assert.equal((await register(app, '192.0.2.1', '')).status, 400)
  }
  assert.equal(await registerMany(app, times(5, '192.0.2.1')), 3)
})

test('429: counts survive a restart', async () => {
  await using first = await openTestApp({ env })
  await registerMany(first, times(3, '192.0.2.1'))
  const { folder, clock } = first
  await first.stop()
  await using second = await openTestApp({ env, folder, clock })
  assert.equal((await register(second, '192.0.2.1')).status, 429)
})

test('429: X-Forwarded-For is not believed without a proxy', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '100000' } })
  const ips = Array.from({ length: 10 }, (_, index) => `192.0.2.${index}`)
  assert.equal(await registerMany(app, ips), 3)
})
