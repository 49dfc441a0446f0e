/** The result of verifying the whole audit log. */
export type AuditVerdict =
  /** `from` and `to` are the UTC days of the first and the last batch, as YYYY-MM-DD. */
  | {
      readonly kind: 'intact'
      readonly batches: number
      readonly checkpoints: number
      /** Whether the store has recorded that it was anchored. */
      readonly wasAnchored: boolean
      /** Number of anchors it was compared with. */
      readonly anchors: number
      /** When anchoring restarted because the previous anchor was missing; a UTC timestamp. */
      readonly anchoredSince: string | undefined
      readonly from: string | undefined
      readonly to: string | undefined
    }
  /** The first batch that is missing or differs from what was written. */
  | { readonly kind: 'broken'; readonly seq: number; readonly reason: string }

/** Verifies the audit log of a running service without delaying its requests. */
export type AuditProof = { verify(): Promise<AuditVerdict> }
