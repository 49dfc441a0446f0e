import { hash } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import type { Clock } from '#ports/clock.ts'
import type { AddressHits, TrafficCount, TrafficCounters } from '#ports/stores/traffic-counters.ts'
import { CLOCK_STEP_MS, MINUTE_MS } from '../../durations.ts'
import { withRedisFaults } from './redis-errors.ts'

/**
 * One atomic script: counts requests per address, adds those within their address's limit to the current
 * second, and sums up the seconds of the last minute. Time is an argument, because all windows go by one
 * clock, which is not that of Redis. After a small step back of the clock the newest minute stays current;
 * minutes further ahead were written while the clock was wrong. Every key expires. `KEYS[1]` is the prefix of
 * all keys.
 */
const COUNT = `
local now = tonumber(ARGV[1])
local limit = tonumber(ARGV[2])
local minute = now - now % ${MINUTE_MS}
local seen = tonumber(redis.call('GET', KEYS[1] .. ':minute') or '0')
if seen >= minute and seen <= now + ${CLOCK_STEP_MS} then minute = seen end
redis.call('SET', KEYS[1] .. ':minute', string.format('%.0f', minute), 'PX', 10800000)
local totals = {}
local passed = 0
local prefix = KEYS[1] .. string.format(':address:%.0f:', minute)
for address, sent in string.gmatch(ARGV[3], '(%S+) (%d+)') do
  local hits = tonumber(sent)
  local key = prefix .. address
  local total = redis.call('INCRBY', key, hits)
  if total == hits then redis.call('PEXPIRE', key, 120000) end
  totals[#totals + 1] = total
  passed = passed + math.min(hits, math.max(0, limit - (total - hits)))
end
local second = math.floor(now / 1000)
local keys = {}
for back = 0, 59 do keys[#keys + 1] = KEYS[1] .. string.format(':second:%.0f', second - back) end
local before = 0
for _, hits in ipairs(redis.call('MGET', unpack(keys))) do
  if hits then before = before + tonumber(hits) end
end
if redis.call('INCRBY', keys[1], passed) == passed then redis.call('PEXPIRE', keys[1], 120000) end
return string.format('%.0f %.0f %.0f ', now, minute, before) .. table.concat(totals, ' ')
`

/** The braces keep all keys in one slot of a cluster. */
const NAME = '{traffic}'
/** Most addresses per call: a long script would block the server. */
const MAX_ADDRESSES = 1_000

type Needs = { readonly redis: Redis | Cluster; readonly clock: Clock; readonly perMinute: number }

/** Traffic counters of all instances, in Redis. */
export function redisTraffic({ redis, clock, perMinute }: Needs): TrafficCounters {
  const run = scriptOf(redis, COUNT)

  async function countSome(hits: readonly AddressHits[]): Promise<TrafficCount> {
    const now = String(clock.now())
    // One string in and one out: the driver's cost grows with the number of values, not their length.
    const addresses = hits.map(({ high, low, hits: count }) => `${high}-${low} ${count}`).join(' ')
    const answer = await withRedisFaults(() => run([now, String(perMinute), addresses]))
    const [at = 0, minute = 0, before = 0, ...ofAddresses] = answer.trimEnd().split(' ').map(Number)
    return { ofAddresses, before, minuteEndsAt: minute + MINUTE_MS, now: at }
  }

  return {
    async count(hits) {
      if (hits.length <= MAX_ADDRESSES) return countSome(hits)
      const first = await countSome(hits.slice(0, MAX_ADDRESSES))
      const rest = await this.count(hits.slice(MAX_ADDRESSES))
      return { ...rest, before: first.before, ofAddresses: [...first.ofAddresses, ...rest.ofAddresses] }
    },
  }
}

/** Runs the script by its hash; a new or restarted server gets the full text first. */
function scriptOf(redis: Redis | Cluster, text: string): (values: readonly string[]) => Promise<string> {
  const sha1 = hash('sha1', text, 'hex')
  return async (values) => {
    try {
      return String(await redis.evalsha(sha1, 1, NAME, ...values))
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return String(await redis.eval(text, 1, NAME, ...values))
    }
  }
}
