import { setTimeout as pause } from 'node:timers/promises'
import { openSlowProxy, type SlowProxy } from '../../scale/support/slow-proxy.ts'
import type { DatabaseServer } from '../../support/services/database-server.ts'
import { startPgbouncer } from '../../support/services/pgbouncer-server.ts'
import { startPostgres } from '../../support/services/postgres-server.ts'
import { promote, REPLICATION, startStandby } from '../../support/services/postgres-standby.ts'
import { startRedis, tellRedis } from '../../support/services/redis-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type FakedClocks, fakeClocks } from './faked-clocks.ts'
import { type LabInstance, openInstance } from './instances.ts'

/** How long a Redis that has been replaced still answers. */
const OLD_REDIS_MS = 500

/** Everything that can be broken: instances, each behind relays of its own, Redis, and two Postgres servers. */
export type Stage = AsyncDisposable & {
  readonly instances: readonly LabInstance[]
  readonly urls: readonly string[]
  /** Between instances and Postgres, and between them and Redis. */
  readonly relays: readonly SlowProxy[]
  readonly clocks: FakedClocks
  redis(): DatabaseServer
  primary(): DatabaseServer
  standby(): DatabaseServer
  /** The primary is gone for good: its standby takes its place, and gets a new one. */
  failOver(): Promise<void>
  /** A replica becomes the primary; the old one still answers, and refuses what is written. */
  failOverRedis(): Promise<void>
}

export async function openStage(count: number): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const clocks = opened.use(await fakeClocks())
  const { env: storeClock } = await clocks.add('postgres')
  let redis = await startRedis()
  opened.defer(() => redis[Symbol.asyncDispose]())
  let primary = await startPostgres(REPLICATION, undefined, storeClock)
  let standby = await startStandby(primary, storeClock)
  opened.defer(async () => {
    // The standby first: a primary that is asked to stop waits for it.
    await standby[Symbol.asyncDispose]()
    await primary[Symbol.asyncDispose]()
  })
  const postgresRelays: SlowProxy[] = []
  const redisRelays: SlowProxy[] = []
  const openOne = async (at: number): Promise<LabInstance> => {
    const toPostgres = opened.use(await openSlowProxy(primary.url))
    const toRedis = opened.use(await openSlowProxy(redis.url))
    postgresRelays.push(toPostgres)
    redisRelays.push(toRedis)
    // The last one goes through a pooler.
    const pooler = at === count - 1 ? await startPgbouncer(toPostgres.url, 'session') : undefined
    if (pooler) opened.use(pooler)
    const stores = { DATABASE_URL: pooler?.url ?? toPostgres.url, REDIS_URL: toRedis.url }
    const name = `instance-${at}`
    const clock = await clocks.add(name)
    return opened.use(await openInstance({ name, folder: folder.path, stores, clock }))
  }
  const instances: LabInstance[] = []
  for (let at = 0; at < count; at += 1) instances.push(await openOne(at))
  const resources = opened.move()
  return {
    instances,
    urls: instances.map(({ url }) => url),
    relays: [...postgresRelays, ...redisRelays],
    clocks,
    redis: () => redis,
    primary: () => primary,
    standby: () => standby,
    async failOver() {
      const old = primary
      await old.kill()
      await promote(standby)
      primary = standby
      for (const relay of postgresRelays) relay.leadTo(primary.url)
      await old[Symbol.asyncDispose]()
      standby = await startStandby(primary, storeClock)
    },
    async failOverRedis() {
      const old = redis
      const replica = await startRedis()
      await tellRedis(replica.url, 'replicaof', '127.0.0.1', new URL(old.url).port)
      await tellRedis(old.url, 'wait', '1', '5000')
      redis = replica
      for (const relay of redisRelays) relay.leadTo(replica.url)
      await tellRedis(replica.url, 'replicaof', 'no', 'one')
      await tellRedis(old.url, 'replicaof', '127.0.0.1', new URL(replica.url).port)
      await pause(OLD_REDIS_MS)
      await old[Symbol.asyncDispose]()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
