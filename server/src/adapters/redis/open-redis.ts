import { Cluster, Redis } from 'ioredis'
import type { Logger } from '#ports/logger.ts'
import { isDemoted, withRedisFaults } from './redis-errors.ts'
import { risksIn } from './settings.ts'

type OpenedRedis = AsyncDisposable & {
  readonly redis: Redis | Cluster
  /** Server settings that may lose counts, one sentence each. */
  readonly risks: readonly string[]
}

/** Timeouts for connecting and for an answer. */
export type RedisTimeouts = { readonly connectMs: number; readonly answerMs: number }

const TIMEOUTS: RedisTimeouts = { connectMs: 800, answerMs: 600 }

/**
 * Commands fail at once while the server is away, and are never resent: a repeated increment would count
 * twice. A connection that does not answer is closed, because later commands would queue behind it.
 */
const optionsWith = ({ connectMs, answerMs }: RedisTimeouts) => ({
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: connectMs,
  commandTimeout: answerMs,
  socketTimeout: answerMs + 100,
  retryStrategy: (times: number) => Math.min(times * 50, 500),
  // After a fail-over the address points to the new primary, but the open connection still ends at the old
  // one.
  reconnectOnError: isDemoted,
})

type Options = ReturnType<typeof optionsWith>

const SENTINEL_PORT = 26_379

/** Opens a single server or a cluster, as the server's `INFO` says. Sentinels resolve the primary. */
export async function openRedis(
  urls: readonly [string, ...string[]],
  logger: Logger,
  timeouts = TIMEOUTS,
): Promise<OpenedRedis> {
  const options = optionsWith(timeouts)
  const [url] = urls
  const isSentinel = new URL(url).protocol.endsWith('+sentinel:')
  const single = reportOutages(
    isSentinel ? behindSentinels(url, urls, options) : new Redis(url, options),
    logger,
  )
  let risks: readonly string[]
  try {
    await withRedisFaults(() => single.connect())
    const info = await withRedisFaults(() => single.info())
    risks = risksIn(info)
    if (!/^cluster_enabled:1/m.test(info)) return owned(single, risks)
  } catch (error) {
    single.disconnect()
    throw error
  }
  single.disconnect()
  return owned(await openCluster(url, options, logger), risks)
}

/**
 * `redis+sentinel://user:password@host:26379,host:26379/name/0`: the hosts are sentinels, the name is the
 * primary's name there; user and password are those of the primary.
 */
function behindSentinels(url: string, urls: readonly string[], options: Options): Redis {
  const hosts = urls.map((url) => new URL(url))
  const { username, password, protocol, pathname, searchParams } = new URL(url)
  const [, name = '', db = '0'] = pathname.split('/')
  const keyPrefix = searchParams.get('keyPrefix')
  const sentinelPassword = searchParams.get('sentinelPassword')
  return new Redis({
    ...options,
    sentinels: hosts.map(({ hostname, port }) => ({ host: hostname, port: Number(port) || SENTINEL_PORT })),
    name: decodeURIComponent(name),
    db: Number(db),
    sentinelRetryStrategy: options.retryStrategy,
    sentinelReconnectStrategy: options.retryStrategy,
    sentinelCommandTimeout: options.commandTimeout,
    ...(keyPrefix && { keyPrefix }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss+sentinel:' && { tls: {}, enableTLSForSentinelMode: true }),
  })
}

/** All keys share one hash tag, so one node holds all counts; the other nodes redirect to it. */
async function openCluster(url: string, options: Options, logger: Logger): Promise<Cluster> {
  const { lazyConnect, enableOfflineQueue, retryStrategy, ...redisOptions } = options
  const { username, password, protocol, searchParams } = new URL(url)
  const keyPrefix = searchParams.get('keyPrefix')
  const cluster = new Cluster([url], {
    lazyConnect,
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    maxRedirections: 3,
    slotsRefreshTimeout: options.connectTimeout,
    ...(keyPrefix && { keyPrefix }),
    redisOptions: {
      ...redisOptions,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  })
  try {
    await withRedisFaults(() => reportOutages(cluster, logger).connect())
  } catch (error) {
    cluster.disconnect()
    throw error
  }
  return cluster
}

const owned = (redis: Redis | Cluster, risks: readonly string[]): OpenedRedis => ({
  redis,
  risks,
  [Symbol.asyncDispose]: async () => redis.disconnect(),
})

/** Logs once when Redis becomes unreachable and once when it is back. */
function reportOutages<T extends Redis | Cluster>(redis: T, logger: Logger): T {
  let isAway = false
  redis.on('error', (error: Error) => {
    if (!isAway) logger.warn('Redis cannot be reached', { reason: error.message })
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) logger.info('Redis is back')
    isAway = false
  })
  return redis
}
