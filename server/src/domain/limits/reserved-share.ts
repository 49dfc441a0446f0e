import { hashKey, type KeyHash } from './hit-table.ts'
import { knownCredentials } from './known-credentials.ts'
import { minuteHits } from './minute-hits.ts'
import { throttleAddresses } from './throttle-addresses.ts'
import { trailingMinute } from './trailing-minute.ts'

/** What each address has in a minute, however many others there are, to sign in and to show a new credential. */
const WAYS_IN_PER_MINUTE = 10

export type Newcomer = {
  readonly client: string
  /** The text that it brings as its key or token, if it has the form of one. */
  readonly credential: string | undefined
  /** It asks for what an owner needs to get in and to stop an agent. */
  readonly isWayIn: boolean
}

/**
 * The capacity that belongs to those who may use it. While the breaker is open, a request with a credential goes on to
 * be authenticated as long as admitted ones alone stay within the total: what is refused can take nothing from them.
 */
export type ReservedShare = {
  /** One request of anybody within the limit of its address; `ofAll` is how many there were in the trailing minute. */
  seen(now: number, ofAll?: number): void
  /** Whether a request goes on although the breaker is open. */
  passes(newcomer: Newcomer, now: number): boolean
  /** A request with this credential was admitted. */
  admitted(credential: string, now: number): void
}

type Needs = {
  /** Of everybody together. */
  readonly perMinute: number
  /** Requests that a known credential may bring, beyond those that are admitted: as many as an address. */
  readonly wastedPerMinute: number
  readonly seed: number
}

/**
 * Several instances share the total but not this count: each takes its own share of admitted requests for that of all.
 * Credentials that nobody has cost a look-up each: so many as the total of all, and then a few of each address.
 */
export function reserveShare({ perMinute, wastedPerMinute, seed }: Needs): ReservedShare {
  const here = trailingMinute()
  const admitted = trailingMinute()
  const tried = trailingMinute()
  const known = knownCredentials()
  const waysIn = throttleAddresses({ perMinute: WAYS_IN_PER_MINUTE, seed })
  const passedBy = minuteHits()
  const admittedBy = minuteHits()
  let ofEverybody = 0

  const isSpent = (now: number) => {
    const all = Math.max(1, here.count(now))
    return admitted.count(now) * Math.max(1, ofEverybody / all) >= perMinute
  }

  /** A key may come with requests that nobody admits: paths that are not there, or that need none. */
  const passesKnown = (credential: KeyHash, now: number) => {
    passedBy.enter(now)
    admittedBy.enter(now)
    if (passedBy.hits(credential) - admittedBy.hits(credential) >= wastedPerMinute) return false
    passedBy.add(credential, 1)
    return true
  }

  const passesNew = (client: string, now: number) => {
    if (tried.count(now) >= perMinute) return hasWayIn(client, now)
    tried.add(now)
    return true
  }

  const hasWayIn = (client: string, now: number) => !waysIn.hit(client, now).isLimited

  return {
    seen(now, ofAll) {
      const count = here.add(now)
      ofEverybody = ofAll ?? count
    },
    passes({ client, credential, isWayIn }, now) {
      if (credential !== undefined && !isSpent(now)) {
        const key = hashKey(credential, seed)
        if (known.has(key, now) ? passesKnown(key, now) : passesNew(client, now)) return true
      }
      return isWayIn && hasWayIn(client, now)
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
