import { TIERS } from '@stakewright/contract/limits'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { openSqliteAdmission } from '#adapters/sql/sqlite/admission.ts'
import type { SqliteStore } from '#adapters/sql/sqlite/open.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import type { Secrets } from '#ports/secrets.ts'
import { silentLogger } from '../support/silent-logger.ts'

/** Checks keys by real admission. A key whose quota is used up counts as working. */
export async function openKeyCheck(store: SqliteStore, secrets: Pick<Secrets, 'digest'>) {
  let now = 0
  const clock = { now: () => now }
  const seal = auditSeal('the secret of these tests')
  const rules = admissionRules({ tiers: TIERS })
  const sizes = { cached: 1_000 }
  const admission = await openSqliteAdmission({
    store,
    rules,
    secrets,
    seal,
    clock,
    logger: silentLogger,
    sizes,
  })
  return {
    async works(digest: string, at: number): Promise<boolean> {
      now = at
      const claim = { kind: 'agent-key', digest: () => digest } as const
      const decision = await admission.admit({ claim, endpoint: 'usage', at, truncatedAddress: '192.0.2.0' })
      return decision.kind === 'admitted' || decision.kind === 'limited'
    },
    [Symbol.asyncDispose]: () => admission[Symbol.asyncDispose](),
  }
}
