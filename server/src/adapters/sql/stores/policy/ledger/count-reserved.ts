import { type RawBuilder, sql } from 'kysely'
import type { Counted, CountedPart, MovedSums } from '#ports/stores/reservations.ts'
import { toReservation } from '../reservation-content.ts'
import { isBooked } from './booked-rows.ts'
import { type ReservationRow, type SumsRow, TamperedError } from './ledger-seal.ts'
import { MINUTE, rangeAt } from './levels.ts'
import { fromText, NOTHING_MOVED, toText } from './moved-sums.ts'
import {
  type Ledger,
  readSums,
  reservationParts,
  rootOf,
  sumUp,
  unionOf,
  windowParts,
} from './window-path.ts'

/**
 * Sums what counts for an agent. A window is the sum of its whole days, and of the hours, minutes and
 * reservations of the day in which it begins, so that the time does not grow with the number of builds.
 * `unsealed`: rows of an earlier version have to be adopted first.
 */
export async function countReserved(ledger: Ledger, part: CountedPart): Promise<Counted | 'unsealed'> {
  const found = await countWithSums(ledger, part)
  return found === 'unsealed' ? found : found.counted
}

type Sums = ReadonlyMap<string, SumsRow>

/** The same, with the sums that a reservation of that time belongs to. */
export async function countWithSums(
  ledger: Ledger,
  part: CountedPart,
  bookedAt?: number,
): Promise<{ readonly counted: Counted; readonly sums: Sums } | 'unsealed'> {
  const { builtSince, latest, spans } = part
  const sinces = Object.values(spans).flatMap((span) => ('since' in span ? [span.since] : []))
  const sums = await readSums(ledger, sinces, bookedAt)
  const rows = await readRows(ledger, sinces, part)
  if (rows.some(({ mac }) => mac === null)) return 'unsealed'
  const root = rootOf(sums)
  if (!root) throw new TamperedError(ledger.agentNo, 'the sums')
  const moved: Record<string, MovedSums> = {}
  for (const [name, span] of Object.entries(spans))
    moved[name] =
      'since' in span
        ? sumUp(windowParts(ledger, span.since, sums, rows))
        : await movedSince(ledger, span.epoch, root)
  const built = rows.filter((row) => isBooked(row) && builtSince !== undefined && row.at > builtSince)
  assertSealed(ledger, built)
  const counted = {
    moved,
    built: built.toSorted((a, b) => a.at - b.at).map(toReservation),
    ...datesOf(rows.filter(isBooked), latest),
  }
  return { counted, sums }
}

/** Whether dates have to be changed, and the latest later date. */
function datesOf(rows: readonly ReservationRow[], latest: number | undefined) {
  if (latest === undefined) return { isMisdated: false, laterAt: undefined }
  const later = rows.flatMap(({ later_at }) => later_at ?? [])
  return {
    isMisdated: rows.some(({ at }) => at > latest) || later.some((at) => at <= latest),
    laterAt: later.length === 0 ? undefined : Math.max(...later),
  }
}

function assertSealed({ seal, agentNo }: Ledger, rows: readonly ReservationRow[]): void {
  if (!rows.every(seal.isReservation)) throw new TamperedError(agentNo, 'the reservations')
}

/** Rows of the minutes in which windows begin, those wanted individually, and one row of each problem. */
async function readRows(
  { db, agentNo }: Ledger,
  sinces: readonly number[],
  { builtSince, latest }: CountedPart,
): Promise<readonly ReservationRow[]> {
  const of = sql`select * from reservations where agent_no = ${agentNo}`
  const parts: RawBuilder<unknown>[] = sinces.map((since) => {
    const { from, to } = rangeAt(MINUTE, since)
    return sql`${of} and at >= ${from} and at < ${to}`
  })
  if (builtSince !== undefined) parts.push(sql`${of} and at > ${builtSince}`)
  if (latest !== undefined) parts.push(...misdated(of, latest))
  parts.push(sql`select * from (${of} and mac is null limit 1) as unsealed`)
  const rows = await unionOf<ReservationRow>(db, parts)
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** One row that is ahead of the clock, one whose later date is reached, and the one with the latest later date. */
function misdated(of: RawBuilder<unknown>, latest: number): readonly RawBuilder<unknown>[] {
  const counting = sql`${of} and state in ('counts', 'seen')`
  return [
    sql`select * from (${counting} and at > ${latest} limit 1) as ahead`,
    sql`select * from (${counting} and later_at <= ${latest} limit 1) as come`,
    sql`select * from (${counting} and later_at > ${latest} order by later_at desc limit 1) as later`,
  ]
}

/** Amounts moved since an epoch; the newest epoch's is stored with the total. */
async function movedSince(ledger: Ledger, epoch: number, root: SumsRow): Promise<MovedSums> {
  if (root.epoch === null || root.epoch < epoch) return NOTHING_MOVED
  if (root.epoch === epoch) return fromText(root.in_epoch ?? toText(NOTHING_MOVED))
  const { db, agentNo } = ledger
  const rows = await db
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('epoch', '>=', epoch)
    .execute()
  const booked = rows.filter(isBooked)
  assertSealed(ledger, booked)
  return sumUp(reservationParts(booked))
}
