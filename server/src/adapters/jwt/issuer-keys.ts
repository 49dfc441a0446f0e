import type { CryptoKey, JWSHeaderParameters } from 'jose'
import { JOSEError, JWKInvalid, JWKSNoMatchingKey } from 'jose/errors'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { DAY_MS } from '../../durations.ts'
import { Fault } from '../../fault.ts'
import { assertTrustworthyUrl, fetchKeySet, type KeySet } from './fetch-key-set.ts'
import { missedKeys } from './missed-keys.ts'

type Settings = {
  readonly url: string
  readonly clock: Clock
  readonly logger: Logger
  /** Longest time that a request waits for a fetch; the fetch itself continues. */
  readonly timeoutMs?: number | undefined
}

/** The present keys of an issuer. */
export type IssuerKeys = AsyncDisposable & {
  /**
   * Fetches the keys; called at the start and every five minutes. Never throws: after a failure the cached keys stay
   * valid.
   */
  refresh(): Promise<void>
  /**
   * Throws jose's error if the issuer has no usable key with that id, and a Fault if its keys cannot be fetched now.
   */
  find(header: JWSHeaderParameters): Promise<CryptoKey>
}

const KEEP_MS = DAY_MS
const PAUSE_MS = 30_000
const TIMEOUT_MS = 1_000
const LEAST_RSA_BITS = 2_048

/**
 * Caches the keys of an issuer for a day, to survive its outages. Tokens with unknown key ids cause a fetch at most
 * every 30 seconds, so that strangers cannot make this service flood the issuer.
 */
export function openIssuerKeys({ url, clock, logger, timeoutMs = TIMEOUT_MS }: Settings): IssuerKeys {
  assertTrustworthyUrl(url)
  const closing = new AbortController()
  const missed = missedKeys()
  let held: { readonly keys: KeySet; readonly fetchedAt: number } | undefined
  let last: { readonly at: number; readonly worked: boolean } | undefined
  let fetching: Promise<void> | undefined

  async function fetchKeys(): Promise<void> {
    const at = clock.now()
    try {
      held = { keys: await fetchKeySet(url, closing.signal), fetchedAt: at }
      last = { at, worked: true }
    } catch (error) {
      last = { at, worked: false }
      if (!closing.signal.aborted) logger.error('issuer keys cannot be fetched', error)
    }
  }

  /** Concurrent callers share one fetch. */
  function refresh(): Promise<void> {
    fetching ??= fetchKeys().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  async function findHeld(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    if (!held || Math.abs(clock.now() - held.fetchedAt) > KEEP_MS) return undefined
    try {
      return requireStrong(await held.keys(header))
    } catch (error) {
      if (error instanceof JWKSNoMatchingKey) return undefined
      // The issuer may have published something that is no valid key.
      throw error instanceof JOSEError
        ? error
        : new JWKInvalid('the key cannot be imported', { cause: error })
    }
  }

  function mayFetch(keyId: string, now: number): boolean {
    // A clock that steps back must not make the pause longer.
    const paused = last !== undefined && Math.abs(now - last.at) < PAUSE_MS
    return fetching !== undefined || (!paused && missed.isWorthAFetch(keyId, now))
  }

  return {
    refresh,
    async find(header) {
      const known = await findHeld(header)
      if (known) return known
      const now = clock.now()
      const keyId = header.kid ?? ''
      const asks = mayFetch(keyId, now)
      if (asks) await waitFor(refresh(), timeoutMs)
      const fetched = asks ? await findHeld(header) : undefined
      if (fetched) return fetched
      if (fetching || !last?.worked) throw keysUnavailable()
      if (asks) missed.note(keyId, now)
      throw new JWKSNoMatchingKey()
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await fetching
    },
  }
}

/** Checked here because jose refuses a weak key with a TypeError, which looks like a bug. */
function requireStrong(key: CryptoKey): CryptoKey {
  const { algorithm } = key
  if ('modulusLength' in algorithm && Number(algorithm.modulusLength) < LEAST_RSA_BITS)
    throw new JWKInvalid(`the key has fewer than ${LEAST_RSA_BITS} bits`)
  return key
}

function keysUnavailable(): Fault {
  return new Fault(
    'store_not_ready',
    'The keys of the sign-in provider cannot be read right now, so your token cannot be checked. Try again shortly.',
    { retryAfterSeconds: PAUSE_MS / 1000 },
  )
}

async function waitFor(work: Promise<void>, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  try {
    await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timer)
  }
}
