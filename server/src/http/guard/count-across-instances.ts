import type { LoadJudgement } from '#domain/limits/judge-load.ts'
import { secondsUntil } from '#domain/limits/window.ts'
import type { Clock } from '#ports/clock.ts'
import type { TrafficCounters } from '#ports/stores/traffic-counters.ts'
import { MINUTE_MS } from '../../durations.ts'
import type { Fault } from '../../fault.ts'
import { batchCounts, type RequestCount } from './count-batcher.ts'
import type { RequestCounter } from './guard.ts'
import { type BreakerRules, logChange, refuseWhenOpen } from './open-breaker.ts'
import { tooManyFromHere } from './refusals.ts'
import type { RequestHead } from './request-head.ts'

type Needs = BreakerRules & {
  readonly traffic: TrafficCounters
  readonly judge: (total: number, now: number) => LoadJudgement
  readonly clock: Clock
  readonly perMinute: number
  readonly seed: number
}

/** Most addresses in the cache; others are counted again. */
const MOST_SPENT = 50_000

/**
 * Requests counted by all instances together. When the counters fail, requests fail with the counters' error: they are
 * neither refused as too many nor passed for free.
 */
export function countAcrossInstances({
  traffic,
  judge,
  clock,
  perMinute,
  seed,
  ...rules
}: Needs): RequestCounter {
  const spent = rememberSpent()
  let isOpen = false
  const count = batchCounts({ traffic, perMinute, seed, judge: judgeRequest })

  function judgeRequest(client: string, counted: RequestCount, head?: RequestHead): Fault | undefined {
    const { ofAddress, minuteEndsAt, ofAll, now } = counted
    const here = clock.now()
    if (ofAddress > perMinute) {
      // The remaining time comes from the counters, because their clock may differ from this one.
      spent.add(client, here + minuteEndsAt - now)
      return tooManyFromHere(perMinute, secondsUntil(minuteEndsAt, now))
    }
    const state = judge(ofAll, now)
    isOpen = state.isOpen
    rules.share.seen(here, ofAll)
    return refuseWhenOpen(rules, state, here, client, head)
  }

  return {
    count(client, now, head) {
      const endsAt = spent.endOf(client, now)
      return endsAt === undefined
        ? count(client, head)
        : tooManyFromHere(perMinute, secondsUntil(endsAt, now))
    },
    async judge() {
      if (!isOpen) return
      const { before, now } = await traffic.count([])
      const state = judge(before, now)
      isOpen = state.isOpen
      logChange(rules.logger, state)
    },
  }
}

/**
 * An address that has used up its minute is refused from this cache, or a flood would reach the counters. An end more
 * than a minute ahead belongs to a clock that was put back since: then the counters decide again.
 */
function rememberSpent() {
  const ends = new Map<string, number>()
  return {
    add(client: string, endsAt: number): void {
      if (ends.size >= MOST_SPENT) ends.clear()
      ends.set(client, endsAt)
    },
    endOf(client: string, now: number): number | undefined {
      const endsAt = ends.get(client)
      if (endsAt === undefined) return undefined
      if (endsAt > now && endsAt <= now + MINUTE_MS) return endsAt
      ends.delete(client)
      return undefined
    },
  }
}
