/** A number and the hash of the entry it names. Number 0: no entry yet. */
export type Anchored = { readonly no: number; readonly hash: string }

/**
 * The state of the audit log at one moment, kept outside its database: with write access to the database alone
 * nobody can replace the log with an older or empty one unnoticed.
 */
export type AuditAnchor = {
  readonly at: number
  readonly checkpoint: Anchored
  readonly action: Anchored
  /** When anchoring restarted because the previous anchor was missing. */
  readonly since?: number
  /** Ends of the hash chains of today and yesterday, by mark name. */
  readonly ends: Readonly<Record<string, Anchored>>
}

/** The files that hold copies of the anchor. */
export type AuditAnchors = {
  /** All existing copies. Throws a Fault when one was tampered with. */
  read(): Promise<readonly AuditAnchor[]>
  /** Required locations without a copy; a loss once the log was anchored. */
  missing(): Promise<readonly string[]>
  /** Replaces every copy. */
  write(anchor: AuditAnchor): Promise<void>
}
