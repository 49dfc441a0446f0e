import { type RawBuilder, sql } from 'kysely'
import type { MovedSums } from '#ports/stores/reservations.ts'
import type { Database } from '../../../schema.ts'
import { isBooked } from './booked-rows.ts'
import { type Booking, entryOf } from './booking.ts'
import { type ReservationRow, type SumsRow, TamperedError } from './ledger-seal.ts'
import { ALL, DAY, HOUR, keyOf, type Level, MINUTE, type Range, rangeAt } from './levels.ts'
import { addSums, fromText, NOTHING_MOVED, toText } from './moved-sums.ts'

export type Ledger = Booking & { readonly db: Database }

/** Part of a window: the amounts moved in a day, an hour or a minute, or by one reservation. */
export type WindowPart = { readonly at: number; readonly moved: MovedSums } & (
  | { readonly level: Exclude<Level, typeof ALL> }
  | { readonly level: 'reservation'; readonly id: string }
)

/** Reads the sums for windows that begin at `sinces` and reservations made at `bookedAt`, and checks their seals. */
export async function readSums(
  { db, seal, agentNo }: Ledger,
  sinces: readonly number[],
  bookedAt: readonly number[] = [],
): Promise<ReadonlyMap<string, SumsRow>> {
  const of = sql`select * from reserved_sums where agent_no = ${agentNo}`
  const ranges = [
    ...sinces.flatMap((since) => [
      { level: HOUR, ...rangeAt(DAY, since) },
      { level: MINUTE, ...rangeAt(HOUR, since) },
    ]),
    ...bookedAt.flatMap((at) => [
      { level: HOUR, ...rangeAt(HOUR, at) },
      { level: MINUTE, ...rangeAt(MINUTE, at) },
    ]),
  ]
  const rows = await unionOf<SumsRow>(db, [
    sql`${of} and level <= ${sql.lit(DAY)}`,
    ...distinct(ranges).map(
      ({ level, from, to }) =>
        sql`${of} and level = ${sql.lit<Level>(level)} and begins >= ${from} and begins < ${to}`,
    ),
  ])
  if (!rows.every(seal.isSums)) throw new TamperedError(agentNo, 'the sums')
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** Removes duplicates: builds of one moment need the same ranges. */
const distinct = <T extends Range & { readonly level: Level }>(ranges: readonly T[]): readonly T[] => [
  ...new Map(ranges.map((range) => [`${range.level} ${range.from} ${range.to}`, range])).values(),
]

export async function unionOf<Row>(
  db: Database,
  parts: readonly RawBuilder<unknown>[],
): Promise<readonly Row[]> {
  if (parts.length === 0) return []
  return (await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

export const rootOf = (sums: ReadonlyMap<string, SumsRow>): SumsRow | undefined =>
  sums.get(keyOf({ level: ALL, begins: 0 }))

/** The parts of all windows that begin within one minute, oldest first. */
type WindowPath = {
  /** The reservations of that minute. */
  readonly first: readonly WindowPart[]
  readonly rest: readonly WindowPart[]
}

/**
 * The parts of windows that begin within the minute of `since`. The parts of their first day, hour and minute must add
 * up to that period's sum, and all days to the total.
 */
export function windowPath(
  { seal, agentNo }: Booking,
  since: number,
  sums: ReadonlyMap<string, SumsRow>,
  rows: readonly ReservationRow[],
): WindowPath {
  const partsOf = (level: Exclude<Level, typeof ALL>, range: Range = EVER): readonly WindowPart[] =>
    [...sums.values()]
      .filter((row) => row.level === level && row.begins >= range.from && row.begins < range.to)
      .map(({ begins, moved }) => ({ level, at: begins, moved: fromText(moved) }))
      .toSorted(byTime)
  const [day, hour, minute] = [rangeAt(DAY, since), rangeAt(HOUR, since), rangeAt(MINUTE, since)]
  const inMinute = rows.filter((row) => isBooked(row) && row.at >= minute.from && row.at < minute.to)
  if (!inMinute.every(seal.isReservation)) throw new TamperedError(agentNo, 'the reservations')
  const [days, hours, minutes] = [partsOf(DAY), partsOf(HOUR, day), partsOf(MINUTE, hour)]
  const singles = reservationParts(inMinute)
  const isWhole =
    addsUp(days, rootOf(sums)?.moved) &&
    addsUp(hours, sums.get(keyOf({ level: DAY, begins: day.from }))?.moved) &&
    addsUp(minutes, sums.get(keyOf({ level: HOUR, begins: hour.from }))?.moved) &&
    addsUp(singles, sums.get(keyOf({ level: MINUTE, begins: minute.from }))?.moved)
  if (!isWhole) throw new TamperedError(agentNo, 'the reservations')
  return {
    first: singles,
    rest: [
      ...minutes.filter(({ at }) => at >= minute.to),
      ...hours.filter(({ at }) => at >= hour.to),
      ...days.filter(({ at }) => at >= day.to),
    ],
  }
}

const EVER: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

const byTime = (a: WindowPart, b: WindowPart): number => a.at - b.at

export const reservationParts = (rows: readonly ReservationRow[]): readonly WindowPart[] =>
  rows
    .map((row): WindowPart => ({ level: 'reservation', id: row.id, at: row.at, moved: entryOf(row).moved }))
    .toSorted(byTime)

export const sumUp = (parts: readonly WindowPart[]): MovedSums =>
  parts.reduce((sum, { moved }) => addSums(sum, moved), NOTHING_MOVED)

/** `whole`: the stored sum of the parts, if there is one. */
export const addsUp = (parts: readonly WindowPart[], whole = toText(NOTHING_MOVED)): boolean =>
  toText(sumUp(parts)) === whole
