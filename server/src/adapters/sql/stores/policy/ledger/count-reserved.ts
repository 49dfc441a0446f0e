import { type RawBuilder, sql } from 'kysely'
import type { WindowPart } from '#ports/stores/reservations.ts'
import { type ReservationRow, TamperedError } from './ledger-seal.ts'
import { type LedgerView, openView } from './ledger-view.ts'
import { MINUTE, rangeAt } from './levels.ts'
import { type Ledger, readSums, rootOf, unionOf } from './window-path.ts'

/**
 * Reads everything needed to count these parts, and the sums that reservations made at `bookedAt` belong to. A window
 * is summed from its whole days and, on the day in which it begins, from whole hours, minutes and single reservations,
 * so the time does not grow with the number of builds. Throws a `TamperedError` if a row has a wrong seal or the sums do
 * not match.
 */
export async function readLedger(
  ledger: Ledger,
  parts: readonly WindowPart[],
  bookedAt: readonly number[] = [],
): Promise<LedgerView> {
  const spans = parts.flatMap((part) => Object.values(part.spans))
  const sinces = spans.flatMap((span) => ('since' in span ? [span.since] : []))
  const epochs = spans.flatMap((span) => ('epoch' in span ? [span.epoch] : []))
  const sums = await readSums(ledger, sinces, bookedAt)
  const rows = await readRows(ledger, sinces, parts)
  const root = rootOf(sums)
  if (!root) throw new TamperedError(ledger.agentNo, 'the sums')
  const ofEpochs = await rowsOfEpochs(ledger, epochs, root.epoch)
  return openView(ledger, { sums, rows, root, ofEpochs })
}

/** Rows of the minutes in which windows begin, those wanted individually, and those that show wrong dates. */
async function readRows(
  { db, agentNo }: Ledger,
  sinces: readonly number[],
  wanted: readonly WindowPart[],
): Promise<readonly ReservationRow[]> {
  const of = sql`select * from reservations where agent_no = ${agentNo}`
  const minutes = new Set(sinces.map((since) => rangeAt(MINUTE, since).from))
  const parts: RawBuilder<unknown>[] = [...minutes].map(
    (from) => sql`${of} and at >= ${from} and at < ${rangeAt(MINUTE, from).to}`,
  )
  const builtSince = wanted.flatMap((part) => part.builtSince ?? [])
  if (builtSince.length > 0) parts.push(sql`${of} and at > ${Math.min(...builtSince)}`)
  const latest = wanted.flatMap((part) => part.latest ?? [])
  if (latest.length > 0) parts.push(...misdated(of, Math.min(...latest), Math.max(...latest)))
  const rows = await unionOf<ReservationRow>(db, parts)
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** The row dated furthest ahead, the earliest later date that the clock has reached, and the latest later date. */
function misdated(of: RawBuilder<unknown>, first: number, last: number): readonly RawBuilder<unknown>[] {
  const counting = sql`${of} and state in ('counts', 'seen')`
  return [
    sql`select * from (${counting} and at > ${first} order by at desc limit 1) as ahead`,
    sql`select * from (${counting} and later_at <= ${last} order by later_at limit 1) as come`,
    sql`select * from (${counting} and later_at > ${first} order by later_at desc limit 1) as later`,
  ]
}

/** All rows since the earliest of the epochs; none if it is the newest, whose sum is stored with the total. */
async function rowsOfEpochs(
  { db, agentNo }: Ledger,
  epochs: readonly number[],
  newest: number | null,
): Promise<readonly ReservationRow[]> {
  const first = Math.min(...epochs)
  if (newest === null || newest <= first) return []
  return db
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('epoch', '>=', first)
    .execute()
}
