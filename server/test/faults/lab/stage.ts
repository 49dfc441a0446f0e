import { setTimeout as pause } from 'node:timers/promises'
import { openSlowProxy, type SlowProxy } from '../../scale/support/slow-proxy.ts'
import type { DatabaseServer } from '../../support/services/database-server.ts'
import { startPgbouncer } from '../../support/services/pgbouncer-server.ts'
import { startPostgres } from '../../support/services/postgres-server.ts'
import { promote, REPLICATION, startStandby } from '../../support/services/postgres-standby.ts'
import { sendToRedis, startRedis } from '../../support/services/redis-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type FakedClocks, fakeClocks } from './faked-clocks.ts'
import { type LabInstance, openInstance } from './instances.ts'

/** How long a replaced Redis still answers. */
const OLD_REDIS_MS = 500

/** The system under test: instances with relays of their own, Redis, and two Postgres servers. */
export type Stage = AsyncDisposable & {
  readonly instances: readonly LabInstance[]
  readonly urls: readonly string[]
  /** Proxies between the instances and Postgres, and between the instances and Redis. */
  readonly relays: readonly SlowProxy[]
  readonly clocks: FakedClocks
  redis(): DatabaseServer
  primary(): DatabaseServer
  standby(): DatabaseServer
  /** Kills the primary for good, promotes the standby, and starts a new standby. */
  failOver(): Promise<void>
  /** Promotes a replica; the old primary still answers for a while, but refuses writes. */
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
    // The standby first, because a primary waits for it when it stops.
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
    // The last instance goes through a connection pooler.
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
      await sendToRedis(replica.url, 'replicaof', '127.0.0.1', new URL(old.url).port)
      await sendToRedis(old.url, 'wait', '1', '5000')
      redis = replica
      for (const relay of redisRelays) relay.leadTo(replica.url)
      await sendToRedis(replica.url, 'replicaof', 'no', 'one')
      await sendToRedis(old.url, 'replicaof', '127.0.0.1', new URL(replica.url).port)
      await pause(OLD_REDIS_MS)
      await old[Symbol.asyncDispose]()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
