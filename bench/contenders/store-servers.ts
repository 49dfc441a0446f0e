import { Redis } from 'ioredis'
import pg from 'pg'
import { startPostgres } from '../../server/test/support/services/postgres-server.ts'
import { startRedis } from '../../server/test/support/services/redis-server.ts'
import { cpuSecondsOf } from '../support/process-counters.ts'

/** A Postgres and a Redis for the bench, on the cores of the load, as durable as in production. */
export type StoreServers = AsyncDisposable & {
  readonly postgresUrl: string
  readonly redisUrl: string
  /** Creates an empty database and returns its URL. */
  database(name: string): Promise<string>
  read(): Promise<StoreFigures>
}

/** Counters of the servers since their start. */
export type StoreFigures = {
  /** Scripts that Redis has run. */
  readonly scripts: number
  readonly postgresCpuSeconds: number
  readonly redisCpuSeconds: number
}

export async function startStores(): Promise<StoreServers> {
  await using opened = new AsyncDisposableStack()
  const postgres = opened.use(await startPostgres({ fsync: 'on', shared_buffers: '128MB' }))
  const redis = opened.use(await startRedis())
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  opened.defer(() => client.end())
  const asking = new Redis(redis.url)
  opened.defer(() => asking.disconnect())
  const resources = opened.move()
  return {
    postgresUrl: postgres.url,
    redisUrl: redis.url,
    async database(name) {
      await client.query(`create database ${name}`)
      return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
    },
    async read() {
      return { ...(await readPostgres(client)), ...(await readRedis(asking)) }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function readPostgres(client: pg.Client) {
  const { rows } = await client.query('select pid from pg_stat_activity')
  const cpu = rows.map(({ pid }) => cpuSecondsOf(Number(pid)))
  return { postgresCpuSeconds: cpu.reduce((sum, seconds) => sum + seconds, 0) }
}

async function readRedis(redis: Redis) {
  const [commands, cpu] = await Promise.all([redis.info('commandstats'), redis.info('cpu')])
  const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  return {
    scripts: numberIn(commands, /cmdstat_evalsha:calls=(\d+)/),
    redisCpuSeconds: numberIn(cpu, /used_cpu_user:([\d.]+)/) + numberIn(cpu, /used_cpu_sys:([\d.]+)/),
  }
}
