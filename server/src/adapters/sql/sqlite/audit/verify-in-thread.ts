import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import type { AuditVerdict } from '#ports/stores/audit-proof.ts'

/** Verifies the log of a data folder in a thread of its own: the driver is synchronous, and requests must not wait. */
export async function verifyInThread(folder: string, anchors: readonly AuditAnchor[]): Promise<AuditVerdict> {
  const thread = new Worker(new URL('./verify-thread.ts', import.meta.url), {
    workerData: { folder, anchors },
  })
  thread.unref()
  const [message] = await once(thread, 'message')
  return toVerdict(message)
}

/** The thread posts exactly what `verifyAudit` gives back. */
const toVerdict = (message: unknown): AuditVerdict => message as AuditVerdict
