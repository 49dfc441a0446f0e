import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openRedis } from '#adapters/redis/open-redis.ts'
import { redisTraffic } from '#adapters/redis/redis-traffic.ts'
import { startRedis } from '../support/services/redis-server.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { testClock } from '../support/test-clock.ts'
import { PER_MINUTE, trafficCountersSuite } from './suites/traffic-counters.ts'

async function openOwnRedis() {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startRedis())
  const { redis } = opened.use(await openRedis([server.url], silentLogger))
  const resources = opened.move()
  return { server, redis, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

trafficCountersSuite('Redis', async () => {
  const own = await openOwnRedis()
  return {
    open: (clock) => redisTraffic({ redis: own.redis, clock, perMinute: PER_MINUTE }),
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  }
})

test('every key expires', async () => {
  await using own = await openOwnRedis()
  const counters = redisTraffic({ redis: own.redis, clock: testClock(), perMinute: 2 })
  await counters.count(Array.from({ length: 20 }, (_, low) => ({ low, high: 1, hits: 3 })))
  await counters.count([{ low: 1, high: 1, hits: 1 }])
  const keys = await own.redis.keys('*')
  assert(keys.length > 20)
  for (const key of keys) assert((await own.redis.pttl(key)) > 0, key)
})

test('counts survive a crash of the server, and the script is loaded again', async () => {
  await using own = await openOwnRedis()
  const counters = redisTraffic({ redis: own.redis, clock: testClock(), perMinute: 9 })
  await counters.count([{ low: 1, high: 1, hits: 3 }])
  await own.server.kill()
  await assert.rejects(counters.count([{ low: 1, high: 1, hits: 1 }]), { code: 'store_not_ready' })
  await own.server.start()
  for (;;) {
    // Refusals are immediate: without a turn of the event loop the client could not reconnect.
    await setImmediate()
    const again = await counters.count([{ low: 1, high: 1, hits: 1 }]).catch(() => undefined)
    if (!again) continue
    assert.deepEqual(again.ofAddresses, [4])
    return
  }
})
