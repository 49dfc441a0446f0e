import type { AuditVerdict } from '#ports/stores/audit-proof.ts'
import { keptThread } from '../threads/kept-thread.ts'
import type { StoreToVerify } from './verify-store.ts'

export type VerifyThread = AsyncDisposable & { verify(store: StoreToVerify): Promise<AuditVerdict> }

/**
 * Verifies stores one after the other in a worker thread, because the embedded driver is synchronous and would block
 * requests.
 */
export function openVerifyThread(keptMs?: number): VerifyThread {
  const thread = keptThread(new URL('./verify-thread.ts', import.meta.url), keptMs)
  let last: Promise<unknown> = Promise.resolve()
  return {
    verify(store) {
      const own = last.then(() => thread.ask(store)).then(toVerdict)
      last = own.catch(() => undefined)
      return own
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

/** The thread posts exactly the result of `verifyStore`. */
const toVerdict = (message: unknown): AuditVerdict => message as AuditVerdict
