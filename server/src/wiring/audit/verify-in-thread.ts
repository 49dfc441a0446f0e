import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AuditVerdict } from '#ports/stores/audit-proof.ts'
import { endOf } from '../../basics/end-of-thread.ts'
import type { StoreToVerify } from './verify-store.ts'

export type VerifyThread = AsyncDisposable & { verify(store: StoreToVerify): Promise<AuditVerdict> }

type Thread = { readonly worker: Worker; readonly over: AbortSignal }

/** Time that an idle thread is kept. */
const KEPT_MS = 60_000

/**
 * Verifies stores one after the other in a worker thread, because the embedded driver is synchronous and would block
 * requests. The first verification starts the thread; it is kept for a while, because starting it takes more CPU time
 * than verifying a small log.
 */
export function openVerifyThread(keptMs = KEPT_MS): VerifyThread {
  const closing = new AbortController()
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = thread
    thread = undefined
    await ended?.worker.terminate()
  }

  function start(): Thread {
    const worker = new Worker(new URL('./verify-thread.ts', import.meta.url))
    worker.unref()
    const started = { worker, over: endOf(worker) }
    // An error ends a thread, so the next verification starts another one.
    const forget = () => {
      if (thread === started) thread = undefined
    }
    worker.once('error', forget)
    worker.once('exit', forget)
    return started
  }

  async function verifyNext(store: StoreToVerify): Promise<AuditVerdict> {
    closing.signal.throwIfAborted()
    clearTimeout(idle)
    thread ??= start()
    const { worker, over } = thread
    const answer = once(worker, 'message', { signal: AbortSignal.any([closing.signal, over]) })
    worker.postMessage(store)
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

/** The thread posts exactly the result of `verifyStore`. */
const toVerdict = (message: unknown): AuditVerdict => message as AuditVerdict
