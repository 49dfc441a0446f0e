import { type Kysely, sql, type Transaction } from 'kysely'
import type { DaysKept } from '#ports/stores/audit-upkeep.ts'
import { CHAINS_MARK, endMarkName, indexedMarkName, withoutChain } from '../../audit/chains.ts'
import { DROPPED_CHECKPOINT, type Mark } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { lockSection } from '../../lock-order.ts'
import type { Schema } from '../../schema.ts'
import { isLockTimeout } from '../errors.ts'
import { findUnsigned, readEnds, rowsOfChains } from './checkpoints.ts'
import { postgresMarks } from './marks.ts'
import { dropAuditDay, listAuditDays, listDaysWithoutLog } from './partitions.ts'

/**
 * Drops the oldest day beyond retention, with its chains, marks and checkpoints. A day is kept if it has unsigned
 * batches, or batches that were written after those of a kept day because the clock was behind. Also drops the
 * remains of days that an instance of another version dropped. Returns the number of days dropped: 0 or 1.
 */
export function dropOldestDay(db: Kysely<Schema>, seal: AuditSeal) {
  const dropDay = (day: number, keep: DaysKept) =>
    db.transaction().execute(async (transaction) => {
      await lockSection(transaction, 'audit days')
      await lockSection(transaction, 'audit chains')
      if ((await findUnsigned(transaction)).some((chain) => chain.day === day)) return false
      if (await isNewerThanKept(transaction, day, keep)) return false
      await forgetChains(transaction, seal, day)
      await trimCheckpoints(transaction, seal)
      await dropWithIndex(transaction, day)
      return true
    })

  /** Safe with any clock: such a day has no batches. */
  const dropRest = (day: number) =>
    db.transaction().execute(async (transaction) => {
      await lockSection(transaction, 'audit days')
      if (!(await listDaysWithoutLog(transaction)).includes(day)) return false
      // Retention removes a day's chains together with its batches. Remaining chains prove that something else
      // dropped the day.
      if ((await readEnds(transaction)).some((chain) => chain.day === day)) return false
      await dropWithIndex(transaction, day)
      return true
    })

  return async (keep: DaysKept): Promise<number> => {
    try {
      for (const day of (await listAuditDays(db)).filter((candidate) => candidate < keep.from)) {
        if (await dropDay(day, keep)) return 1
      }
      for (const day of await listDaysWithoutLog(db)) if (await dropRest(day)) return 1
    } catch (error) {
      // A reader such as pg_dump holds the table: the next run retries.
      if (!isLockTimeout(error)) throw error
    }
    return 0
  }
}

/** Batch numbers give the order of writing, whatever days the clock gave them. */
async function isNewerThanKept(
  transaction: Transaction<Schema>,
  day: number,
  { from, today }: DaysKept,
): Promise<boolean> {
  const { rows } = await sql<{ last: number | null; kept: number | null }>`
    select (select max(seq) from audit_batches where day = ${day}) as last,
      (select min(seq) from audit_batches where day >= ${from} and day <= ${today}) as kept`.execute(
    transaction,
  )
  const [{ last, kept } = { last: null, kept: null }] = rows
  return last !== null && kept !== null && last > kept
}

async function dropWithIndex(transaction: Transaction<Schema>, day: number): Promise<void> {
  await dropAuditDay(transaction, day)
  // Only now does no other transaction index chains of the day any more.
  const ofDay = indexedMarkName(endMarkName({ day, instance: '%' }))
  await transaction.deleteFrom('audit_marks').where('name', 'like', ofDay).execute()
}

async function forgetChains(transaction: Transaction<Schema>, seal: AuditSeal, day: number): Promise<void> {
  const gone = (await readEnds(transaction)).filter((chain) => chain.day === day)
  if (gone.length === 0) return
  const marks = postgresMarks(transaction, seal)
  const present: Mark = await marks.read(CHAINS_MARK)
  await marks.remove(gone.map(({ name }) => name))
  await marks.write(
    CHAINS_MARK,
    gone.reduce((rest, chain) => withoutChain(rest, chain, seal), present),
  )
}

/** Deletes the oldest checkpoints whose chains are gone; a mark keeps the last hash, for the next one. */
async function trimCheckpoints(transaction: Transaction<Schema>, seal: AuditSeal): Promise<void> {
  const present = await readEnds(transaction)
  const { rows } = await sql<{ no: number; hash: string }>`
    with kept as (
      select min(first.no) as no from ${rowsOfChains(present)} cross join lateral (
        select no from audit_checkpoints c
        where c.day = chain.day and c.instance = chain.instance order by c.no limit 1
      ) first
    )
    select no, hash from audit_checkpoints
    where no < coalesce((select no from kept), ${sql.lit('9223372036854775807')}::bigint)
    order by no desc limit 1`.execute(transaction)
  const [last] = rows
  if (!last) return
  await transaction.deleteFrom('audit_checkpoints').where('no', '<=', last.no).execute()
  await postgresMarks(transaction, seal).write(DROPPED_CHECKPOINT, { no: last.no, hash: last.hash })
}
