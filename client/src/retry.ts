import { isSafeToRepeat } from '@stakewright/contract/effects'
import type { EndpointName } from '@stakewright/contract/routes'
import type { StakewrightError } from './error.ts'

export type RetryRules = {
  /** Further tries after the first one. */
  readonly retries: number
  /** The longest wait before a try; when the service asks for a longer one, its refusal is thrown at once. */
  readonly maxWaitMs: number
  /** From 0 to below 1: spreads the tries of many callers. */
  readonly random: () => number
}

type Try = {
  readonly name: EndpointName
  readonly attempt: number
  /** The service knows a repeat by its `Idempotency-Key`. */
  readonly isNamed: boolean
}

const BASE_MS = 250

/**
 * How long to wait before a call is tried again; undefined when it must not be. A refusal that says when to come back
 * (429 and 503 with Retry-After) did nothing, so every call may be repeated after it. Where nobody knows what became
 * of the request (no answer, a gateway's error), only calls that change nothing are repeated, and a build only with an
 * `Idempotency-Key`: without one it would reserve twice.
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

/** Waits, unless the signal ends it; then it rejects with the signal's reason. */
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
