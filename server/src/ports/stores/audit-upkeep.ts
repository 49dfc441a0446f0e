import type { Anchored, AuditAnchor } from './audit-anchor.ts'

/** Periodic maintenance of the audit log: signing, anchoring and retention. */
export type AuditUpkeep = {
  /** Creates partitions for this UTC day and the next ones, in stores that need them. */
  prepareDays(today: number): Promise<void>
  /** Updates the index of agents as far as the deadline allows, in stores where readers would otherwise wait for it. */
  indexAgents(deadline: AbortSignal): Promise<void>
  /** When the newest checkpoint was signed. */
  lastCheckpointAt(): Promise<number | undefined>
  /** The highest batch number handed out so far. */
  newestBatch(): Promise<number>
  /**
   * Signs the next batches that no checkpoint covers: a bounded number of one UTC day, none after `upTo`.
   * Undefined: nothing to sign.
   */
  signNext(at: number, upTo: number): Promise<AuditCheckpoint | undefined>
  /** The log's current state, to be anchored. */
  anchor(at: number): Promise<AuditAnchor>
  /** Whether `noteAnchored` was ever called on this store. */
  wasAnchored(): Promise<boolean>
  noteAnchored(at: number): Promise<void>
  /** Whether the log still contains everything anchored, except what retention may have dropped. */
  holds(anchor: AuditAnchor): Promise<boolean>
  /** The distinct UTC days of signed batches, ascending. */
  signedDays(): Promise<readonly number[]>
  /** Drops some of the oldest signed batches beyond retention; returns a count, 0 when none is left. */
  dropBatches(keep: DaysKept): Promise<number>
  /** Drops some agents' daily counts before this day; returns the number dropped. */
  dropDayCounts(before: number): Promise<number>
  /** Drops some users' counters whose windows ended before this moment; returns the number dropped. */
  dropUserCounters(before: number): Promise<number>
  /**
   * Drops some links, codes, sessions, proven networks and answers to repeated requests that expired before this moment;
   * returns a count.
   */
  dropExpired(before: number): Promise<number>
  /** Drops some approvals that expired, and reservations made, before these moments; returns a count. */
  dropMandates(old: {
    readonly approvalsBefore: number
    readonly reservationsBefore: number
  }): Promise<number>
}

/**
 * Batches of day `from` and later are kept. A batch that a wrong clock labelled with another day is kept as
 * long as the batches written before it; days after `today` never count as old.
 */
export type DaysKept = { readonly from: number; readonly today: number; readonly retentionDays: number }

export type AuditCheckpoint = {
  readonly no: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly day: number
  readonly at: number
  /** The hash of its last batch, which seals all batches before. */
  readonly root: string
  /** The hash of the previous checkpoint. */
  readonly previous: string
  readonly hash: string
  readonly signature: string
  /** The instance whose chain it signs; empty in SQLite, which has one chain. */
  readonly instance: string
  /** The newest management action, which seals all before it. Undefined: none. */
  readonly action?: Anchored | undefined
}
