import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { brokenAction } from '#adapters/sql/audit/verify-actions.ts'
import type { Database } from '#adapters/sql/schema.ts'
import { verifyInThread } from '#adapters/sql/sqlite/audit/verify-in-thread.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { AuditProof } from '#ports/stores/audit-proof.ts'
import type { Config } from '../config.ts'

type Needs = { readonly db: Database; readonly secrets: Secrets; readonly pepper: string }

/** The requests first, then what was done to agents: the log of a store that is in use. */
export function auditProof({ database }: Config, { db, secrets, pepper }: Needs): AuditProof {
  const verifyRequests = async () => {
    if (database.kind === 'sqlite') return verifyInThread(database.folder)
    const { verifyPostgresAudit } = await import('#adapters/sql/postgres/audit/verify.ts')
    return verifyPostgresAudit(database.urls, auditSeal(pepper))
  }
  return {
    async verify() {
      const verdict = await verifyRequests()
      return verdict.kind === 'broken' ? verdict : ((await brokenAction(db, secrets)) ?? verdict)
    },
  }
}
