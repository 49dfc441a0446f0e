import type { Clock } from '#ports/clock.ts'
import type { AuditProof, AuditVerdict } from '#ports/stores/audit-proof.ts'
import type { User } from '#ports/stores/users.ts'
import type { Fault } from '../../fault.ts'
import { adminOnly } from '../agents/management-rights.ts'

type CheckedAudit = { readonly verdict: AuditVerdict; readonly checkedAt: number }

type Run = { readonly checked: Promise<CheckedAudit>; endedAt: number | undefined }

/** How long a verdict that nobody has received is kept. */
const KEPT_MS = 600_000

export const refuseVerification = (user: User): Fault | undefined => adminOnly(user, 'verify the audit log')

/**
 * Verifies the whole log. Concurrent callers share one run. A long log takes longer than a request may last: the run
 * goes on, and its verdict is kept for the next caller if none has received it.
 */
export function verifyAudit({ proof, clock }: { readonly proof: AuditProof; readonly clock: Clock }) {
  let current: Run | undefined

  function start(): Run {
    const checkedAt = clock.now()
    const checked = proof.verify().then((verdict) => ({ verdict, checkedAt }))
    const run: Run = { checked, endedAt: undefined }
    checked.then(
      () => {
        run.endedAt = clock.now()
      },
      () => forget(run),
    )
    return run
  }

  function forget(run: Run): void {
    if (current === run) current = undefined
  }

  const isOld = ({ endedAt }: Run): boolean => endedAt !== undefined && clock.now() - endedAt > KEPT_MS

  return async (signal: AbortSignal): Promise<CheckedAudit> => {
    if (current === undefined || isOld(current)) current = start()
    const run = current
    const checked = await run.checked
    if (!signal.aborted) forget(run)
    return checked
  }
}
