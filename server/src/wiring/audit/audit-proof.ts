import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { anchorFileName, anchorFiles } from '#adapters/sql/audit/anchor-files.ts'
import type { AuditSeal } from '#adapters/sql/audit/seal.ts'
import type { AuditAnchors } from '#ports/stores/audit-anchor.ts'
import type { AuditProof, AuditVerdict } from '#ports/stores/audit-proof.ts'
import type { Config } from '../../config.ts'
import { demandAnchors, type StoreToVerify } from './verify-store.ts'

/**
 * Opens the anchors: one beside the audit key, and one at AUDIT_ANCHOR_FILE if that is set. With a shared store the
 * first may be missing, because instances come and go with their folders.
 */
export function openAnchors({ database, dataDir, auditAnchorFile }: Config, seal: AuditSeal): AuditAnchors {
  const own = join(dataDir, anchorFileName(database.kind))
  const second = auditAnchorFile ? [auditAnchorFile] : []
  return anchorFiles([own, ...second], seal, database.kind === 'sqlite' ? [own, ...second] : second)
}

type Needs = { readonly pepper: string; readonly anchors: AuditAnchors }

/** Verifies a store that is in use, in a thread of its own: the embedded driver is synchronous, and requests must not wait. */
export const auditProof = ({ database }: Config, { pepper, anchors }: Needs): AuditProof => ({
  async verify() {
    const verdict = await verifyInThread({ database, pepper, anchors: await anchors.read() })
    return demandAnchors(verdict, await anchors.missing())
  },
})

async function verifyInThread(workerData: StoreToVerify): Promise<AuditVerdict> {
  const thread = new Worker(new URL('./verify-thread.ts', import.meta.url), { workerData })
  thread.unref()
  const [message] = await once(thread, 'message')
  return toVerdict(message)
}

/** The thread posts exactly what `verifyStore` gives back. */
const toVerdict = (message: unknown): AuditVerdict => message as AuditVerdict
