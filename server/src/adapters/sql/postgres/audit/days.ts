import type { Database } from '../../schema.ts'
import { isMissingPartition } from '../errors.ts'
import { createMissing } from './partitions.ts'

/** Partitions are created this many days ahead, so that failed attempts of a night do no harm. */
const DAYS_AHEAD = 3

export type AuditDays = {
  /**
   * Creates missing partitions from yesterday to some days ahead, because the store's clock may differ, and those of all
   * days of the log.
   */
  prepareAhead(today: number): Promise<void>
  /** Creates missing partitions of the day and its neighbours; cached, so that it rarely queries. */
  ensure(day: number): Promise<void>
  /** Clears the cache, after a write found no partition. */
  clearCache(): void
}

/** Partitions of the audit log, one per UTC day, created ahead and dropped as a whole. */
export function openAuditDays(db: Database): AuditDays {
  const ready = new Set<number>()
  return {
    async prepareAhead(today) {
      const ahead = range(today - 1, today + DAYS_AHEAD)
      await createMissing(db, ({ audit_batches: log }) => [...ahead, ...log])
      for (const day of ahead) ready.add(day)
    },
    async ensure(day) {
      if (ready.has(day)) return
      const near = range(day - 1, day + 1)
      await createMissing(db, () => near)
      for (const each of near) ready.add(each)
    },
    clearCache: () => ready.clear(),
  }
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

/**
 * Runs work on days of the log. Where another version has prepared a day without all its tables, creates the missing
 * partitions of all days and runs it again.
 */
export async function onAuditDays<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isMissingPartition(error)) throw error
    await createMissing(db, ({ audit_batches: log }) => log)
    return await work()
  }
}
