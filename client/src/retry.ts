import { isSafeToRepeat } from '@stakewright/contract/effects'
import type { EndpointName } from '@stakewright/contract/routes'
import type { StakewrightError } from './error.ts'

export type RetryRules = {
  /** Attempts after the first one. */
  readonly retries: number
  /** The longest wait before a retry. If the service asks for a longer one, its error is thrown at once. */
  readonly maxWaitMs: number
  /** From 0 to below 1, for jitter. */
  readonly random: () => number
}

type Try = {
  readonly name: EndpointName
  readonly attempt: number
  /** Whether the request has an `Idempotency-Key`. */
  readonly isNamed: boolean
}

const BASE_MS = 250

/**
 * The wait before a retry; undefined: the call must not be retried. Refusals with Retry-After (429 and 503) had no
 * effect, so every call may be retried after them. If the outcome is unknown (no answer, a gateway's error), only
 * calls without effects are retried, and builds only with an `Idempotency-Key`: without one they would reserve
 * twice.
 */
export function retryDelayMs(
  error: StakewrightError,
  { name, attempt, isNamed }: Try,
  { retries, maxWaitMs, random }: RetryRules,
): number | undefined {
  if (attempt >= retries || !error.retryable) return undefined
  const { status, retryAfterSeconds } = error
  if (retryAfterSeconds !== undefined && (status === 429 || status === 503)) {
    const saidMs = retryAfterSeconds * 1_000
    return saidMs > maxWaitMs ? undefined : saidMs + random() * BASE_MS
  }
  if (!isSafeToRepeat(name, isNamed)) return undefined
  return Math.min(maxWaitMs, BASE_MS * 2 ** attempt) * (0.5 + random() / 2)
}

/** Rejects with the signal's reason if the signal aborts first. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
