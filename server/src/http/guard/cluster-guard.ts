import { newAuditEntry } from '#api/audit-entry.ts'
import type { LoadJudgement } from '#domain/limits/judge-load.ts'
import type { ReservedShare } from '#domain/limits/reserved-share.ts'
import { secondsUntil } from '#domain/limits/window.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { TrafficCounters } from '#ports/stores/traffic-counters.ts'
import { MINUTE_MS } from '../../durations.ts'
import type { Fault } from '../../fault.ts'
import type { Exchange } from '../wire/exchange.ts'
import { batchCounts, type RequestCount } from './count-batcher.ts'
import { budgetOf, type CredentialIn, type Guard, hasShare, overloaded, tooManyFromHere } from './guard.ts'

type Needs = {
  readonly traffic: TrafficCounters
  readonly judge: (total: number, now: number) => LoadJudgement
  readonly share: ReservedShare
  readonly credentialIn: CredentialIn
  readonly clock: Clock
  readonly logger: Logger
  readonly perMinute: number
  readonly seed: number
  readonly isExempt: (path: string) => boolean
}

/** More addresses than this are not cached as spent; they are counted again. */
const MOST_SPENT = 50_000

/**
 * The limits that need no credential, counted by all instances together. When the counters fail, requests fail with
 * the counters' error: they are neither refused as too many nor passed for free.
 */
export function clusterGuard(needs: Needs): Guard {
  const { traffic, judge, share, clock, logger, perMinute, seed, isExempt } = needs
  const spent = rememberSpent()
  const count = batchCounts({ traffic, perMinute, seed, judge: judgeRequest })

  function judgeRequest(client: string, count: RequestCount, exchange?: Exchange): Fault | undefined {
    const { ofAddress, minuteEndsAt, ofAll, now } = count
    if (ofAddress > perMinute) {
      // How long it lasts is what the counters tell: their clock may be another one.
      spent.add(client, clock.now() + minuteEndsAt - now)
      return tooManyFromHere(secondsUntil(minuteEndsAt, now))
    }
    const { isOpen, changed } = judge(ofAll, now)
    const here = clock.now()
    share.seen(here, ofAll)
    if (changed) logger.warn(isOpen ? 'breaker opened' : 'breaker closed')
    return isOpen && !hasShare(exchange, needs, here) ? overloaded() : undefined
  }

  const countFrom = (client: string, now: number, exchange?: Exchange) => {
    const endsAt = spent.endOf(client, now)
    return endsAt === undefined ? count(client, exchange) : tooManyFromHere(secondsUntil(endsAt, now))
  }

  return {
    onRequest(exchange, path) {
      if (isExempt(path)) return undefined
      const now = clock.now()
      exchange.locals = newAuditEntry(now)
      return countFrom(budgetOf(exchange, path), now, exchange)
    },
    onMalformed: (client) => countFrom(client, clock.now()),
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
