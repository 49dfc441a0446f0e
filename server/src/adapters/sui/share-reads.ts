import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../fault.ts'

type Read<T> = (key: string, signal: AbortSignal) => Promise<T>

/** Coalesces concurrent reads of the same key. A caller whose signal aborts leaves; the read goes on for the others. */
export function shareReads<T>(read: Read<T>): Read<T> {
  const underWay = new Map<string, Shared<T>>()
  return async (key: string, caller: AbortSignal): Promise<T> => {
    const shared = underWay.get(key) ?? begin(key)
    shared.waiting += 1
    try {
      return await untilAborted(shared.answer, caller)
    } finally {
      shared.waiting -= 1
      if (shared.waiting === 0) shared.all.abort()
    }
  }

  function begin(key: string): Shared<T> {
    const all = new AbortController()
    const answer = read(key, all.signal).finally(() => {
      if (underWay.get(key) === shared) underWay.delete(key)
    })
    // Without this, a failure after all callers have left would be an unhandled rejection.
    answer.catch(() => undefined)
    const shared = { answer, all, waiting: 0 }
    all.signal.addEventListener('abort', () => {
      if (underWay.get(key) === shared) underWay.delete(key)
    })
    underWay.set(key, shared)
    return shared
  }
}

const REFUSED_MS = 60_000
const MAX_REFUSED = 1_000

/**
 * Caches refusals (`invalid_input`) by key for a minute. Computing one takes a dozen calls to a node, so a caller that
 * repeats the request would use up the calls of all others.
 */
export function cacheRefusals<T>(clock: Clock, read: Read<T>): Read<T> {
  const refusals = new Map<string, { readonly fault: Fault; readonly at: number }>()
  return async (key, caller) => {
    const known = refusals.get(key)
    if (known && Math.abs(clock.now() - known.at) < REFUSED_MS) throw known.fault
    try {
      return await read(key, caller)
    } catch (failure) {
      if (failure instanceof Fault && failure.code === 'invalid_input') {
        if (refusals.size >= MAX_REFUSED) refusals.clear()
        refusals.set(key, { fault: failure, at: clock.now() })
      }
      throw failure
    }
  }
}

type Shared<T> = { readonly answer: Promise<T>; readonly all: AbortController; waiting: number }

/** Rejects when the signal aborts first; the work goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const refuse = () =>
    reject(
      new Fault('rpc_unavailable', 'The chain cannot be read right now; try again shortly.', {
        cause: signal.reason,
      }),
    )
  if (signal.aborted) refuse()
  signal.addEventListener('abort', refuse)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', refuse)
  }
}
