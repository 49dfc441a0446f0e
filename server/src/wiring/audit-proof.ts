import { join } from 'node:path'
import { anchorFileName, anchorFiles } from '#adapters/sql/audit/anchor-files.ts'
import { type AuditSeal, auditSeal } from '#adapters/sql/audit/seal.ts'
import { brokenAction } from '#adapters/sql/audit/verify-actions.ts'
import { brokenSeal } from '#adapters/sql/audit/verify-seals.ts'
import type { Database } from '#adapters/sql/schema.ts'
import { verifyInThread } from '#adapters/sql/sqlite/audit/verify-in-thread.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { AuditAnchor, AuditAnchors } from '#ports/stores/audit-anchor.ts'
import type { AuditProof } from '#ports/stores/audit-proof.ts'
import type { Config } from '../config.ts'

type Needs = {
  readonly db: Database
  readonly secrets: Secrets
  readonly pepper: string
  readonly anchors: AuditAnchors
}

/** Beside the key of the log, and in the second place that the configuration names. */
export const openAnchors = ({ database, dataDir, auditAnchorFile }: Config, seal: AuditSeal) =>
  anchorFiles(
    [join(dataDir, anchorFileName(database.kind)), ...(auditAnchorFile ? [auditAnchorFile] : [])],
    seal,
  )

/** The requests first, then what was done to agents, then what they are and are held to, in a store that is in use. */
export function auditProof({ database }: Config, { db, secrets, pepper, anchors }: Needs): AuditProof {
  const verifyRequests = async (known: readonly AuditAnchor[]) => {
    if (database.kind === 'sqlite') return verifyInThread(database.folder, known)
    const { verifyPostgresAudit } = await import('#adapters/sql/postgres/audit/verify.ts')
    return verifyPostgresAudit(database.urls, auditSeal(pepper), known)
  }
  return {
    async verify() {
      const known = await anchors.read()
      const verdict = await verifyRequests(known)
      if (verdict.kind === 'broken') return verdict
      return (await brokenAction(db, secrets, known)) ?? (await brokenSeal(db, secrets)) ?? verdict
    },
  }
}
