import { setTimeout as wait } from 'node:timers/promises'
import { Fault } from './fault.ts'
import type { Logger } from './ports/logger.ts'

const TRY_EVERY_MS = 500
const SAY_EVERY_MS = 10_000

type Needs = {
  readonly logger: Logger
  /** Aborted when the process is told to stop. */
  readonly stopping: AbortSignal
}

/**
 * Retries `open` while the store is unavailable, so that a service may start before its store. A Fault without
 * `retryAfterSeconds` is final. Returns undefined if the process is told to stop meanwhile.
 */
export async function waitForStore<T>(
  open: () => Promise<T>,
  { logger, stopping }: Needs,
): Promise<T | undefined> {
  let saidAt = Number.NEGATIVE_INFINITY
  while (!stopping.aborted) {
    try {
      return await open()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (performance.now() - saidAt >= SAY_EVERY_MS) {
        logger.warn('the store cannot be reached; the start waits for it', { reason: reasonOf(error) })
        saidAt = performance.now()
      }
    }
    await wait(TRY_EVERY_MS, undefined, { signal: stopping }).catch(() => {})
  }
  return undefined
}

/** Codes of a store that is unavailable, or locked by another instance. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['store_not_ready', 'service_overloaded'])

const isUnavailable = (error: unknown): error is Fault =>
  error instanceof Fault && UNAVAILABLE.has(error.code) && error.retryAfterSeconds !== undefined

/** For a host name with several addresses, Node's error has no message but an error per address. */
function reasonOf({ message, cause }: Fault): string {
  if (cause instanceof AggregateError) return cause.errors.map(String).join('; ')
  return cause instanceof Error ? cause.message : message
}
