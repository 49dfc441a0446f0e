import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AuditVerdict } from '#ports/stores/audit-proof.ts'
import type { StoreToVerify } from './verify-store.ts'

export type VerifyThread = AsyncDisposable & { verify(store: StoreToVerify): Promise<AuditVerdict> }

/** How long a thread without work is kept. */
const KEPT_MS = 60_000

/**
 * Verifies stores one after the other in a thread of its own: the embedded driver is synchronous, and requests must not
 * wait. The first verification starts the thread. Starting it takes more processor time than verifying a small log, so
 * it is kept for a while.
 */
export function openVerifyThread(keptMs = KEPT_MS): VerifyThread {
  const closing = new AbortController()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  function start(): Worker {
    const started = new Worker(new URL('./verify-thread.ts', import.meta.url))
    started.unref()
    // An error ends a thread: the next verification starts another one.
    started.once('error', () => {
      if (thread === started) thread = undefined
    })
    return started
  }

  async function verifyNext(store: StoreToVerify): Promise<AuditVerdict> {
    closing.signal.throwIfAborted()
    clearTimeout(idle)
    thread ??= start()
    const answer = once(thread, 'message', { signal: closing.signal })
    thread.postMessage(store)
    try {
      const [message] = await answer
      return toVerdict(message)
    } finally {
      idle = setTimeout(end, keptMs).unref()
    }
  }

  return {
    verify(store) {
      const own = last.then(() => verifyNext(store))
      last = own.catch(() => undefined)
      return own
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await end()
    },
  }
}

/** The thread posts exactly what `verifyStore` gives back. */
const toVerdict = (message: unknown): AuditVerdict => message as AuditVerdict
