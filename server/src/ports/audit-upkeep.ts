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
  /** Drops some of the oldest batches of days that are over; returns how many, and 0 when none is left to drop. */
  dropBatches(keep: DaysKept): Promise<number>
  /** Drops some daily counts of agents before this day; returns how many. */
  dropDayCounts(before: number): Promise<number>
  /** Drops some users' counters whose windows ended before this moment; returns how many. */
  dropUserCounters(before: number): Promise<number>
}

/** A day after `today` is one of a clock that was wrong; it keeps nothing. */
export type DaysKept = { readonly from: number; readonly today: number }

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
}
