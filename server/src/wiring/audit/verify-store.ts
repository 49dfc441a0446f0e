import { LIMITS } from '@stakewright/contract/limits'
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

/** Verifies all logged and sealed records: requests, management actions, agents, keys and policies. */
export async function verifyStore(store: StoreToVerify): Promise<AuditVerdict> {
  const { database, pepper, anchors } = store
  const { approvalsKeptDays } = LIMITS
  const check = { secrets: openSecrets({ keyPrefix: '', pepper }), approvalsKeptDays }
  if (database.kind === 'sqlite') return verifyAudit(database.folder, anchors, check)
  const { verifyPostgresAudit } = await import('#adapters/sql/postgres/audit/verify.ts')
  return verifyPostgresAudit(database.urls, auditSeal(pepper), anchors, check)
}

/**
 * A log that is marked as anchored must have its anchors. They must be looked for after the log was read, because an
 * anchor is written before the mark.
 */
export function demandAnchors(verdict: AuditVerdict, missing: readonly string[]): AuditVerdict {
  const [file] = missing
  if (verdict.kind === 'broken' || !verdict.wasAnchored || file === undefined) return verdict
  return { kind: 'broken', seq: 0, reason: `the log was anchored, and its anchor ${file} is missing` }
}
