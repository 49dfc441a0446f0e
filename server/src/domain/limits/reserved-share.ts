import { HOUR_MS } from '../../durations.ts'
import { hashKey, hitTable } from './hit-table.ts'
import { trailingMinute } from './trailing-minute.ts'

/** A credential that was admitted is known for at least this long. */
const KNOWN_MS = HOUR_MS

/**
 * The capacity that belongs to those who may use it. While the breaker is open, a request with a credential goes on to
 * be authenticated as long as admitted ones alone stay within the total: what is refused can take nothing from them.
 */
export type ReservedShare = {
  /** One request of anybody within the limit of its address; `ofAll` is how many there were in the trailing minute. */
  seen(now: number, ofAll?: number): void
  /** Whether a request with this credential goes on although the breaker is open. */
  passes(credential: string, now: number): boolean
  /** A request with this credential was admitted. */
  admitted(credential: string, now: number): void
}

type Needs = { readonly perMinute: number; readonly seed: number }

/**
 * Several instances share the total but not this count: each takes its own share of admitted requests for that of all.
 * Credentials that nobody has cost a look-up each; with more of them than the total, only known ones go on.
 */
export function reserveShare({ perMinute, seed }: Needs): ReservedShare {
  const here = trailingMinute()
  const admitted = trailingMinute()
  const tried = trailingMinute()
  const passed = trailingMinute()
  const known = knownCredentials(seed)
  let ofEverybody = 0

  const isSpent = (now: number) => {
    const all = Math.max(1, here.count(now))
    const used = Math.max(admitted.count(now), passed.count(now))
    return used * Math.max(1, ofEverybody / all) >= perMinute
  }

  return {
    seen(now, ofAll) {
      const count = here.add(now)
      ofEverybody = ofAll ?? count
    },
    passes(credential, now) {
      if (isSpent(now)) return false
      // A key may come with a request that needs none, which nobody admits: passing counts, too.
      const lane = known.has(credential, now) ? passed : tried
      if (lane.count(now) >= perMinute) return false
      lane.add(now)
      return true
    },
    admitted(credential, now) {
      admitted.add(now)
      known.add(credential, now)
    },
  }
}

/** By a seeded hash: no credential stays in memory. Two generations, so that none is forgotten while it is in use. */
function knownCredentials(seed: number) {
  let recent = hitTable()
  let older = hitTable()
  let startedAt = Number.NEGATIVE_INFINITY

  function turn(now: number): void {
    if (Math.abs(now - startedAt) < KNOWN_MS) return
    older = recent
    recent = hitTable()
    startedAt = now
  }

  return {
    add(credential: string, now: number): void {
      turn(now)
      recent.add(hashKey(credential, seed), 1)
    },
    has(credential: string, now: number): boolean {
      turn(now)
      const key = hashKey(credential, seed)
      return recent.hits(key) + older.hits(key) > 0
    },
  }
}
