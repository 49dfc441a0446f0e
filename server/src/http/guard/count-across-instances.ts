import type { BreakerDecision } from '#domain/limits/decide-breaker.ts'
import { secondsUntil } from '#domain/limits/window.ts'
import type { Clock } from '#ports/clock.ts'
import type { TrafficCounters } from '#ports/stores/traffic-counters.ts'
import { MINUTE_MS } from '../../durations.ts'
import type { Fault } from '../../fault.ts'
import { batchCounts, type RequestCount } from './count-batcher.ts'
import type { RequestCounter } from './guard.ts'
import { type BreakerRules, logChange, refuseWhenOpen } from './open-breaker.ts'
import { tooManyFromHere } from './refusals.ts'
import { counterOf, type Sender } from './sender.ts'

type Needs = BreakerRules & {
  readonly traffic: TrafficCounters
  readonly judge: (total: number, now: number) => BreakerDecision
  readonly clock: Clock
  readonly perMinute: number
  readonly seed: number
}

/** Capacity of the cache; when it is full, it is cleared. */
const MAX_SPENT = 50_000

/**
 * Counts requests across all instances, in shared counters. When the counters fail, requests fail with their error:
 * they are neither refused as too many nor let through uncounted.
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

  function judgeRequest(counter: string, counted: RequestCount, sender: Sender): Fault | undefined {
    const { ofAddress, minuteEndsAt, ofAll, now } = counted
    const here = clock.now()
    if (ofAddress > perMinute) {
      // The remaining time comes from the counters, because their clock may differ from this one.
      spent.add(counter, here + minuteEndsAt - now)
      return tooManyFromHere(sender.budget, perMinute, secondsUntil(minuteEndsAt, now))
    }
    const state = judge(ofAll, now)
    isOpen = state.isOpen
    rules.share.seen(here, ofAll)
    return refuseWhenOpen(rules, state, here, sender)
  }

  return {
    count(sender, now) {
      const counter = counterOf(sender)
      const endsAt = spent.endOf(counter, now)
      return endsAt === undefined
        ? count(counter, sender)
        : tooManyFromHere(sender.budget, perMinute, secondsUntil(endsAt, now))
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
 * Caches the counters that are used up for this minute, so that a flood of requests does not reach the counters.
 * An end more than a minute ahead means that the clock was set back since; then the counters decide again.
 */
function rememberSpent() {
  const ends = new Map<string, number>()
  return {
    add(counter: string, endsAt: number): void {
      if (ends.size >= MAX_SPENT) ends.clear()
      ends.set(counter, endsAt)
    },
    endOf(counter: string, now: number): number | undefined {
      const endsAt = ends.get(counter)
      if (endsAt === undefined) return undefined
      if (endsAt > now && endsAt <= now + MINUTE_MS) return endsAt
      ends.delete(counter)
      return undefined
    },
  }
}
