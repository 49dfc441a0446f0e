import { Fault } from '../../fault.ts'

/** Coalesces concurrent reads of the same key. A caller whose signal aborts leaves; the read goes on for the others. */
export function shareReads<T>(read: (key: string, signal: AbortSignal) => Promise<T>) {
  const underWay = new Map<string, Shared<T>>()
  return async (key: string, caller: AbortSignal): Promise<T> => {
    const shared = underWay.get(key) ?? begin(key)
    shared.waiting += 1
    try {
      return await Promise.race([shared.answer, whenAborted(caller)])
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

type Shared<T> = { readonly answer: Promise<T>; readonly all: AbortController; waiting: number }

/** Rejects when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () =>
      reject(
        new Fault('rpc_unavailable', 'The chain cannot be read right now; try again shortly.', {
          cause: signal.reason,
        }),
      )
    if (signal.aborted) refuse()
    signal.addEventListener('abort', refuse, { once: true })
  })
}
