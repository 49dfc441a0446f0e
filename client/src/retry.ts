import type { StakewrightError } from './error.ts'

export type RetryRules = {
  /** Attempts after the first one. */
  readonly retries: number
  /** The longest wait before a retry. If the service asks for a longer one, its error is thrown at once. */
  readonly maxWaitMs: number
  /** From 0 to below 1, for jitter. */
  readonly random: () => number
}

const BASE_MS = 250

/** The wait before a retry; undefined: the call must not be retried, or only after more than `maxWaitMs`. */
export function retryDelayMs(
  { retryable, retryAfterSeconds }: StakewrightError,
  attempt: number,
  { retries, maxWaitMs, random }: RetryRules,
): number | undefined {
  if (attempt >= retries || !retryable) return undefined
  if (retryAfterSeconds !== undefined) {
    const requestedMs = retryAfterSeconds * 1_000
    return requestedMs > maxWaitMs ? undefined : Math.min(maxWaitMs, requestedMs + random() * BASE_MS)
  }
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
