import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent as registerByMail, signIn } from '../support/registered-agent.ts'
import { freePort } from '../support/server-process.ts'
import { startRedisCluster } from '../support/services/redis-cluster.ts'
import { startSentinel } from '../support/services/redis-sentinel.ts'
import { sendToRedis, startRedis } from '../support/services/redis-server.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { openTestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'
import { SECRETS } from './support/admin-token.ts'
import { assertAllRunning, assertInTime } from './support/behaviour.ts'
import { assertConserved } from './support/counted-on-postgres.ts'
import { openServices, registerAgent, statusOf, untilServed } from './support/services.ts'
import { openSlowProxy } from './support/slow-proxy.ts'
import { countOf, type SteadyLoad, startLoad, statusesIn } from './support/steady-load.ts'

async function untilRefused(load: SteadyLoad, more: number): Promise<void> {
  const before = countOf(load.answers, 503)
  await until(() => countOf(load.answers, 503) >= before + more)
}

test('Redis crashes, restarts and stays away under load: 503 in time, served again in time', async (t) => {
  await using database = await migratedDatabase()
  await using redis = await startRedis()
  await using group = await openServices(2, { DATABASE_URL: database.url, REDIS_URL: redis.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  const servedAfter: number[] = []
  for (const outage of [() => redis.kill(), () => redis.stop(), () => redis.kill()]) {
    await load.untilServed(urls)
    await outage()
    await untilRefused(load, 100)
    await redis.start()
    servedAfter.push(await load.untilServed(urls))
  }
  const answers = await load.stop()
  assert.deepEqual(statusesIn(answers), [200, 503])
  assertInTime(t, load, servedAfter)
  assertAllRunning(group)
  await assertConserved(database.url, answers)
})

test('503 in time while Redis answers two seconds late, and served again in time afterwards', async (t) => {
  await using database = await migratedDatabase()
  await using redis = await startRedis()
  await using proxy = await openSlowProxy(redis.url)
  await using group = await openServices(2, { DATABASE_URL: database.url, REDIS_URL: proxy.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  const servedAfter: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await load.untilServed(urls)
    proxy.delay(2_000)
    await untilRefused(load, 8)
    proxy.delay(0)
    servedAfter.push(await load.untilServed(urls))
  }
  const answers = await load.stop()
  assert.deepEqual(statusesIn(answers), [200, 503])
  assertInTime(t, load, servedAfter)
  assertAllRunning(group)
  await assertConserved(database.url, answers)
})

test('Redis fails over while the old primary still answers: connections move to the new one in time', async (t) => {
  await using database = await migratedDatabase()
  await using primary = await startRedis()
  await using replica = await startRedis()
  await sendToRedis(replica.url, 'replicaof', '127.0.0.1', new URL(primary.url).port)
  await using address = await openSlowProxy(primary.url)
  await using group = await openServices(2, { DATABASE_URL: database.url, REDIS_URL: address.url })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  const servedAfter: number[] = []
  for (const [from, to] of [
    [primary, replica],
    [replica, primary],
  ] as const) {
    await load.untilServed(urls)
    // Open connections stay with the old server, which becomes a replica.
    address.leadTo(to.url)
    await sendToRedis(to.url, 'replicaof', 'no', 'one')
    await sendToRedis(from.url, 'replicaof', '127.0.0.1', new URL(to.url).port)
    servedAfter.push(await load.untilServed(urls))
  }
  await load.stop()
  assertInTime(t, load, servedAfter)
  assertAllRunning(group)
})

test('after a crash of the primary, the instances find the new one through a sentinel', async () => {
  await using database = await migratedDatabase()
  await using primary = await startRedis()
  await using replica = await startRedis()
  await sendToRedis(replica.url, 'replicaof', '127.0.0.1', new URL(primary.url).port)
  await using sentinel = await startSentinel('counts', primary.url)
  const nobody = `127.0.0.1:${await freePort()}`
  const address = `redis+sentinel://${nobody},${sentinel.host}/counts/0`
  await using group = await openServices(2, { DATABASE_URL: database.url, REDIS_URL: address })
  const { urls } = group
  const { apiKey } = await registerAgent(urls[0])
  await using load = startLoad(urls, apiKey)
  await load.untilServed(urls)
  await primary.kill()
  await untilRefused(load, 1)
  await load.untilServed(urls)
  assert.match(String(await sendToRedis(replica.url, 'role')), /^master/)
  const answers = await load.stop()
  assert.deepEqual(statusesIn(answers), [200, 503])
  assertAllRunning(group)
  await assertConserved(database.url, answers)
})

test('a Redis cluster works with the address of any of its nodes', async () => {
  await using database = await migratedDatabase()
  await using cluster = await startRedisCluster()
  for (const { url } of cluster.nodes) {
    await using group = await openServices(1, { DATABASE_URL: database.url, REDIS_URL: url })
    const { apiKey } = await registerAgent(group.urls[0])
    const answer = await untilServed(async () => ({ status: await statusOf(group.urls[0], apiKey) }))
    assert.equal(answer.status, 200)
  }
})

test('the limit of an address holds over all instances together, also across a crash of Redis', async () => {
  await using database = await migratedDatabase()
  await using redis = await startRedis()
  const variables = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    TRUST_PROXY_HOPS: '1',
    LIMIT_IP_RPM: '50',
  }
  const options = {
    env: { ...SECRETS, ...variables, ADMIN_TOTP: 'optional', ADMIN_EMAILS: 'root@example.com' },
    isPatient: true,
    runsJobs: false,
  }
  await using one = await openTestApp(options)
  await using other = await openTestApp({ ...options, folder: one.folder })
  const { id, apiKey } = await registerByMail(one)
  const admin = one.client({ token: await signIn(one, 'root@example.com') })
  await admin.updateAgent({ id, rateLimits: { rpm: 1_000, rpd: 1_000 } })
  const statuses: number[] = []
  const askForty = async () => {
    const asked = Array.from({ length: 40 }, (_, at) =>
      statusOf((at % 2 === 0 ? one : other).url, apiKey, { 'x-forwarded-for': '192.0.2.7' }),
    )
    statuses.push(...(await Promise.all(asked)))
  }
  await askForty()
  await redis.kill()
  await redis.start()
  for (const { url } of [one, other])
    await until(async () => (await statusOf(url, apiKey, { 'x-forwarded-for': '192.0.2.8' })) !== 503)
  await askForty()
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [...Array<number>(50).fill(200), ...Array<number>(30).fill(429)],
  )
})
