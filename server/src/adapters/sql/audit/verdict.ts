const DAY_MS = 86_400_000

/** What reading the whole audit log has shown. */
export type AuditVerdict =
  /** `from` and `to` are the UTC days of the first and the last batch, as YYYY-MM-DD. */
  | {
      readonly kind: 'intact'
      readonly batches: number
      readonly checkpoints: number
      readonly from: string | undefined
      readonly to: string | undefined
    }
  /** The first batch that is not as it was written, or is missing. */
  | { readonly kind: 'broken'; readonly seq: number; readonly reason: string }

/** Ends the reading where the log is broken. */
export class Broken extends Error {
  readonly verdict: AuditVerdict
  constructor(seq: number, reason: string) {
    super(reason)
    this.verdict = { kind: 'broken', seq, reason }
  }
}

export const toDate = (day: number | undefined): string | undefined =>
  day === undefined ? undefined : new Date(day * DAY_MS).toISOString().slice(0, 10)
