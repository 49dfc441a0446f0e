import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import type { AuditVerdict } from '#ports/stores/audit-proof.ts'
import type { Config } from '../../config.ts'

export type StoreToVerify = {
  readonly database: Config['database']
  readonly pepper: string
  readonly anchors: readonly AuditAnchor[]
}

/** The requests, what was done to agents, and what they are and are held to: all that is logged or sealed. */
export async function verifyStore({ database, pepper, anchors }: StoreToVerify): Promise<AuditVerdict> {
  const secrets = openSecrets({ keyPrefix: '', pepper })
  if (database.kind === 'sqlite') return verifyAudit(database.folder, anchors, secrets)
  const { verifyPostgresAudit } = await import('#adapters/sql/postgres/audit/verify.ts')
  return verifyPostgresAudit(database.urls, auditSeal(pepper), anchors, secrets)
}
