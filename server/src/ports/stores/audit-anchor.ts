/** Something that is numbered, and its hash. Number 0: there was none yet. */
export type Anchored = { readonly no: number; readonly hash: string }

/**
 * What was known of the audit log at a moment, kept outside of its database: who can write that alone cannot put an
 * older log in its place, or none.
 */
export type AuditAnchor = {
  readonly at: number
  readonly checkpoint: Anchored
  readonly action: Anchored
  /** The kinds of rows that the store has sealed; anchors of earlier versions do not tell. */
  readonly sealed?: readonly string[]
  /** When it was begun anew, because the one before was gone. */
  readonly since?: number
  /** Where the chains of the last days ended. */
  readonly ends: Readonly<Record<string, Anchored>>
}

/** The places of the anchor. */
export type AuditAnchors = {
  /** Those that there are. Throws a Fault when one was changed. */
  read(): Promise<readonly AuditAnchor[]>
  /** The places where one must be and is none, once the log was anchored. */
  missing(): Promise<readonly string[]>
  /** Replaces all of them. */
  write(anchor: AuditAnchor): Promise<void>
}
