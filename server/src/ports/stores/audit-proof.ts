/** What reading the whole audit log has shown. */
export type AuditVerdict =
  /** `from` and `to` are the UTC days of the first and the last batch, as YYYY-MM-DD. */
  | {
      readonly kind: 'intact'
      readonly batches: number
      readonly checkpoints: number
      /** Whether the store knows that it was anchored. */
      readonly wasAnchored: boolean
      /** With how many anchors of its end it was compared. */
      readonly anchors: number
      /** When its anchor was begun anew, because the one before was gone; a UTC moment. */
      readonly anchoredSince: string | undefined
      readonly from: string | undefined
      readonly to: string | undefined
    }
  /** The first batch that is not as it was written, or is missing. */
  | { readonly kind: 'broken'; readonly seq: number; readonly reason: string }

/** Reads the audit log of a running service as a whole, without holding up its requests. */
export type AuditProof = { verify(): Promise<AuditVerdict> }
