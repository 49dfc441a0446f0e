import { hashKey, type KeyHash } from './hit-table.ts'
import { knownCredentials } from './known-credentials.ts'
import { minuteHits } from './minute-hits.ts'
import { throttleAddresses } from './throttle-addresses.ts'
import { trailingMinute } from './trailing-minute.ts'

/** The guaranteed requests per minute and address, for signing in or for a new credential. */
const GUARANTEED_PER_MINUTE = 10

type Newcomer = {
  readonly client: string
  /** Its key or token, if it has the right form. */
  readonly credential: string | undefined
  /** Whether the request signs in or revokes a key. */
  readonly isSignInOrRevoke: boolean
}

/**
 * The capacity reserved for authenticated callers. While the breaker is open, a request with a credential is still
 * authenticated as long as admitted requests alone stay within the total, so refused requests cannot take this
 * share.
 */
export type ReservedShare = {
  /**
   * Counts one request within the limit of its address; `ofAll` is the count of all instances in the trailing
   * minute.
   */
  seen(now: number, ofAll?: number): void
  /** Whether a request is processed although the breaker is open. */
  passes(newcomer: Newcomer, now: number): boolean
  /** A request with this credential was admitted. */
  admitted(credential: string, now: number): void
}

type Needs = {
  /** The limit of all callers together. */
  readonly perMinute: number
  /** Requests of a known credential that may fail admission, per minute; the same limit as for an address. */
  readonly wastedPerMinute: number
  readonly seed: number
}

/**
 * Instances share the total but not this count, so each extrapolates from its own part of the traffic. Unknown
 * credentials cost a look-up each: up to `perMinute` of them pass, then a few per address.
 */
export function reserveShare({ perMinute, wastedPerMinute, seed }: Needs): ReservedShare {
  const here = trailingMinute()
  const admitted = trailingMinute()
  const tried = trailingMinute()
  const known = knownCredentials()
  const guaranteed = throttleAddresses({ perMinute: GUARANTEED_PER_MINUTE, seed })
  const passedBy = minuteHits()
  const admittedBy = minuteHits()
  let ofEverybody = 0

  const isSpent = (now: number) => {
    const all = Math.max(1, here.count(now))
    return admitted.count(now) * Math.max(1, ofEverybody / all) >= perMinute
  }

  /** Limits requests with a known key that are never admitted, such as unknown paths or public endpoints. */
  const passesKnown = (credential: KeyHash, now: number) => {
    passedBy.enter(now)
    admittedBy.enter(now)
    if (passedBy.hits(credential) - admittedBy.hits(credential) >= wastedPerMinute) return false
    passedBy.add(credential, 1)
    return true
  }

  const passesNew = (client: string, now: number) => {
    if (tried.count(now) >= perMinute) return isGuaranteed(client, now)
    tried.add(now)
    return true
  }

  const isGuaranteed = (client: string, now: number) => !guaranteed.hit(client, now).isLimited

  return {
    seen(now, ofAll) {
      const count = here.add(now)
      ofEverybody = ofAll ?? count
    },
    passes({ client, credential, isSignInOrRevoke }, now) {
      if (credential !== undefined && !isSpent(now)) {
        const key = hashKey(credential, seed)
        if (known.has(key, now) ? passesKnown(key, now) : passesNew(client, now)) return true
      }
      return isSignInOrRevoke && isGuaranteed(client, now)
    },
    admitted(credential, now) {
      const key = hashKey(credential, seed)
      admitted.add(now)
      known.add(key, now)
      admittedBy.enter(now)
      admittedBy.add(key, 1)
    },
  }
}
