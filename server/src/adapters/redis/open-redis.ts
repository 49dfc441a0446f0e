import { Redis } from 'ioredis'
import type { Logger } from '#ports/logger.ts'
import { isDemoted, withRedisFaults } from './redis-errors.ts'

export type OpenedRedis = AsyncDisposable & { readonly redis: Redis }

/**
 * Nothing waits for a server that is away, and nothing is sent twice: an increment that is repeated counts twice. A
 * connection that was asked and says nothing is given up, because what comes later waits behind it.
 */
const OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 800,
  commandTimeout: 600,
  socketTimeout: 700,
  retryStrategy: (times: number) => Math.min(times * 50, 500),
  // After a fail-over the address leads to another server, while the open connection still ends at the old one.
  reconnectOnError: isDemoted,
} as const

export async function openRedis(url: string, logger: Logger): Promise<OpenedRedis> {
  const redis = new Redis(url, OPTIONS)
  let isAway = false
  redis.on('error', (error: Error) => {
    if (!isAway) logger.warn('Redis cannot be reached', { reason: error.message })
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) logger.info('Redis is back')
    isAway = false
  })
  try {
    await withRedisFaults(() => redis.connect())
    await warnOfLoss(redis, logger)
  } catch (error) {
    redis.disconnect()
    throw error
  }
  return { redis, [Symbol.asyncDispose]: async () => redis.disconnect() }
}

/** Without its log Redis forgets on a crash all that was counted since the last snapshot, minutes ago. */
async function warnOfLoss(redis: Redis, logger: Logger): Promise<void> {
  const info = await withRedisFaults(() => redis.info('persistence'))
  if (/^aof_enabled:1/m.test(info)) return
  logger.warn('Redis has appendonly off: counters do not survive a crash of it. Set appendonly yes.')
}
