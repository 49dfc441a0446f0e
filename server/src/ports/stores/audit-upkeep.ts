import type { Anchored, AuditAnchor } from './audit-anchor.ts'

/** What the audit log needs from time to time, so that changes to it are seen and old days leave it. */
export type AuditUpkeep = {
  /** Makes room for this UTC day and the next ones, where a store has to be prepared for them. */
  prepareDays(today: number): Promise<void>
  /** When the newest checkpoint was signed. */
  lastCheckpointAt(): Promise<number | undefined>
  /** The number up to which batches were begun by now. */
  newestBatch(): Promise<number>
  /**
   * Signs the next stretch of the log that no checkpoint covers yet: batches of one UTC day, not too many of them, and
   * none after `upTo`. Undefined: there is nothing to sign.
   */
  signNext(at: number, upTo: number): Promise<AuditCheckpoint | undefined>
  /** What there is to anchor of the log now. */
  anchor(at: number): Promise<AuditAnchor>
  /** Whether the store knows that it was anchored, and how it comes to know. */
  wasAnchored(): Promise<boolean>
  noteAnchored(at: number): Promise<void>
  /** Whether the log still has what was anchored, but for what is old enough to have been dropped. */
  holds(anchor: AuditAnchor): Promise<boolean>
  /** The UTC days that checkpoints have signed batches of, ascending, each once. */
  signedDays(): Promise<readonly number[]>
  /** Drops some of the oldest signed batches that need not be kept; returns how many, and 0 when none is left. */
  dropBatches(keep: DaysKept): Promise<number>
  /** Drops some daily counts of agents before this day; returns how many. */
  dropDayCounts(before: number): Promise<number>
  /** Drops some users' counters whose windows ended before this moment; returns how many. */
  dropUserCounters(before: number): Promise<number>
  /** Drops some links, codes and proven networks that were of no use any more before this moment. */
  dropSignIns(before: number): Promise<number>
  /** Drops some approvals that expired, and some reservations that were made, before these moments; returns how many. */
  dropMandates(old: {
    readonly approvalsBefore: number
    readonly reservationsBefore: number
  }): Promise<number>
}

/**
 * Batches of the day `from` and later stay. What a clock that was wrong has labelled with another day stays as long as
 * what was written before it; labels of days after `today` are never taken for old ones.
 */
export type DaysKept = { readonly from: number; readonly today: number; readonly retentionDays: number }

export type AuditCheckpoint = {
  readonly no: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly day: number
  readonly at: number
  /** The hash that seals its last batch, and with it all batches before. */
  readonly root: string
  /** The hash of the checkpoint before. */
  readonly previous: string
  readonly hash: string
  readonly signature: string
  /** The instance whose chain it signs; empty in the embedded store, which has one chain. */
  readonly instance: string
  /** The newest management action, which seals all before it. Undefined: there was none, or an earlier version has signed. */
  readonly action?: Anchored | undefined
}
