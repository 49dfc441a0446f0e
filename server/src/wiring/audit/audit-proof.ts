import { join } from 'node:path'
import { anchorFileName, anchorFiles } from '#adapters/sql/audit/anchor-files.ts'
import type { AuditSeal } from '#adapters/sql/audit/seal.ts'
import type { AuditAnchors } from '#ports/stores/audit-anchor.ts'
import type { AuditProof } from '#ports/stores/audit-proof.ts'
import type { Config } from '../../config.ts'
import type { VerifyThread } from './verify-in-thread.ts'
import { demandAnchors } from './verify-store.ts'

/**
 * Opens the anchors: one beside the audit key, and one at AUDIT_ANCHOR_FILE if that is set. With a shared store the
 * first may be missing, because an instance may start with a new data folder.
 */
export function openAnchors({ database, dataDir, auditAnchorFile }: Config, seal: AuditSeal): AuditAnchors {
  const own = join(dataDir, anchorFileName(database.kind))
  const second = auditAnchorFile ? [auditAnchorFile] : []
  return anchorFiles([own, ...second], seal, database.kind === 'sqlite' ? [own, ...second] : second)
}

type Needs = {
  readonly pepper: string
  readonly anchors: AuditAnchors
  readonly thread: VerifyThread
}

/** Verifies a store that is in use. */
export const auditProof = ({ database }: Config, { pepper, anchors, thread }: Needs): AuditProof => ({
  async verify() {
    const verdict = await thread.verify({ database, pepper, anchors: await anchors.read() })
    return demandAnchors(verdict, await anchors.missing())
  },
})
