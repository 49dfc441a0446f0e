import type { Clock } from '#ports/clock.ts'
import type { AuditProof, AuditVerdict } from '#ports/stores/audit-proof.ts'
import type { User } from '#ports/stores/users.ts'
import type { Fault } from '../../fault.ts'
import { adminOnly } from '../agents/management-rights.ts'

type CheckedAudit = { readonly verdict: AuditVerdict; readonly checkedAt: number }

export const refuseVerification = (user: User): Fault | undefined => adminOnly(user, 'verify the audit log')

/** Verifies the whole log. Concurrent callers share one run. */
export function verifyAudit({ proof, clock }: { readonly proof: AuditProof; readonly clock: Clock }) {
  let running: Promise<CheckedAudit> | undefined
  return (): Promise<CheckedAudit> => {
    const checkedAt = clock.now()
    running ??= proof
      .verify()
      .then((verdict) => ({ verdict, checkedAt }))
      .finally(() => {
        running = undefined
      })
    return running
  }
}
