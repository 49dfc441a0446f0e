import { sql } from 'kysely'
import type { Leaving } from '#ports/stores/reservations.ts'
import { isBooked } from './booked-rows.ts'
import { type ReservationRow, type SumsRow, TamperedError } from './ledger-seal.ts'
import { DAY, HOUR, type Level, MINUTE, rangeAt } from './levels.ts'
import { fromText, movedIn, ofActions, toText } from './moved-sums.ts'
import {
  addsUp,
  type Ledger,
  readSums,
  reservationParts,
  type WindowPart,
  windowPath,
} from './window-path.ts'

/**
 * The date of the reservation with which `amount` has left the window. Descends from day to hour to minute,
 * without reading all reservations. Throws a `TamperedError` if what it reads has a wrong seal or does not add up.
 */
export async function leavesAt(
  ledger: Ledger,
  { since, actions, amount, without }: Leaving,
): Promise<number | undefined> {
  const sums = await readSums(ledger, [since])
  const rows = await rowsOfMinute(ledger, since)
  const amountOf = (part: WindowPart) =>
    without
      .filter((one) => isWithin(one, part))
      .reduce((rest, { items }) => rest - ofActions(movedIn(items), actions), ofActions(part.moved, actions))
  let left = amount
  const { first, rest } = windowPath(ledger, since, sums, rows)
  let parts: readonly WindowPart[] = [...first.filter(({ at }) => at > since), ...rest]
  for (;;) {
    const found = parts.find((part) => {
      const isLast = amountOf(part) >= left
      if (!isLast) left -= amountOf(part)
      return isLast
    })
    if (!found || found.level === 'reservation') return found?.at
    parts = await partsWithin(ledger, found)
    if (!addsUp(parts, toText(found.moved))) throw new TamperedError(ledger.agentNo, 'the reservations')
  }
}

function isWithin({ id, at }: Leaving['without'][number], part: WindowPart): boolean {
  if (part.level === 'reservation') return part.id === id
  const { from, to } = rangeAt(part.level, part.at)
  return at >= from && at < to
}

async function partsWithin(
  ledger: Ledger,
  { level, at }: Exclude<WindowPart, { readonly level: 'reservation' }>,
): Promise<readonly WindowPart[]> {
  if (level === MINUTE) {
    const booked = (await rowsOfMinute(ledger, at)).filter(isBooked)
    if (!booked.every(ledger.seal.isReservation)) throw new TamperedError(ledger.agentNo, 'the reservations')
    return reservationParts(booked)
  }
  const { from, to } = rangeAt(level, at)
  const below = level === DAY ? HOUR : MINUTE
  const { rows } = await sql<SumsRow>`select * from reserved_sums where agent_no = ${ledger.agentNo}
    and level = ${sql.lit<Level>(below)} and begins >= ${from} and begins < ${to} order by begins`.execute(
    ledger.db,
  )
  if (!rows.every(ledger.seal.isSums)) throw new TamperedError(ledger.agentNo, 'the sums')
  return rows.map(({ begins, moved }) => ({ level: below, at: begins, moved: fromText(moved) }))
}

async function rowsOfMinute({ db, agentNo }: Ledger, at: number): Promise<readonly ReservationRow[]> {
  const { from, to } = rangeAt(MINUTE, at)
  return db
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute()
}
