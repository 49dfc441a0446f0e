import type { AuditVerdict } from '#ports/stores/audit-proof.ts'
import { DAY_MS } from '../../../../durations.ts'

export type { AuditVerdict } from '#ports/stores/audit-proof.ts'

/** Ends verification where the log is broken. */
export class Broken extends Error {
  readonly verdict: AuditVerdict
  constructor(seq: number, reason: string) {
    super(reason)
    this.verdict = { kind: 'broken', seq, reason }
  }
}

export const toDate = (day: number | undefined): string | undefined =>
  day === undefined ? undefined : new Date(day * DAY_MS).toISOString().slice(0, 10)
