import type { MovedSums, Reservation, Span, WindowPart, WindowUse } from '#ports/stores/reservations.ts'
import { toReservation } from '../reservation-content.ts'
import { isBooked } from './booked-rows.ts'
import type { Booking, Entry } from './booking.ts'
import { type ReservationRow, type SumsRow, TamperedError } from './ledger-seal.ts'
import { beginOf, MINUTE } from './levels.ts'
import { addSums, fromText, NOTHING_MOVED, toText } from './moved-sums.ts'
import { reservationParts, sumUp, windowPath } from './window-path.ts'

/** A reservation that is not written yet. */
export type Added = Entry & { readonly reservation: Reservation; readonly laterAt: number | undefined }

/** The part of an agent's ledger that one transaction has read, and the reservations that it adds. */
export type LedgerView = {
  /** As they were read, without the added reservations. */
  readonly sums: ReadonlyMap<string, SumsRow>
  readonly added: readonly Added[]
  /** Sums the reservations that count in one of the parts that were read, added ones included. */
  count(part: WindowPart): WindowUse
  add(reservation: Added): void
}

type Found = {
  readonly sums: ReadonlyMap<string, SumsRow>
  readonly root: SumsRow
  readonly rows: readonly ReservationRow[]
  /** Rows since the earliest counted epoch; none if that is the newest. */
  readonly ofEpochs: readonly ReservationRow[]
}

export function openView(booking: Booking, { sums, root, rows, ofEpochs }: Found): LedgerView {
  const added: Added[] = []
  const booked = rows.filter(isBooked)
  /** Checks the seal before the state, because the state may have been changed to released in the database. */
  const countingIn = memoised((row: ReservationRow): readonly Reservation[] => {
    assertSealed(booking, [row])
    return isBooked(row) ? [toReservation(row)] : []
  })
  const windowOf = memoised((minute: number) => {
    const { first, rest } = windowPath(booking, minute, sums, rows)
    return { first, rest: sumUp(rest) }
  })
  const sinceEpoch = memoised((epoch: number) => movedSinceEpoch(booking, epoch, root, ofEpochs))

  function movedIn(span: Span): MovedSums {
    if ('epoch' in span)
      return plus(
        sinceEpoch(span.epoch),
        added.filter(({ epoch }) => epoch >= span.epoch),
      )
    const { first, rest } = windowOf(beginOf(MINUTE, span.since))
    return plus(
      rest,
      [...first, ...added].filter(({ at }) => at > span.since),
    )
  }

  return {
    sums,
    added,
    add: (reservation) => {
      added.push(reservation)
    },
    count: ({ spans, builtSince = Number.POSITIVE_INFINITY, latest }) => ({
      moved: Object.fromEntries(Object.entries(spans).map(([name, span]) => [name, movedIn(span)])),
      built: [
        ...rows.filter(({ at }) => at > builtSince).flatMap(countingIn),
        ...added.filter(({ at }) => at > builtSince).map(({ reservation }) => reservation),
      ].toSorted((a, b) => a.at - b.at),
      ...datesOf(
        [...booked.map(({ at, later_at }) => ({ at, laterAt: later_at ?? undefined })), ...added],
        latest,
      ),
    }),
  }
}

const plus = (sum: MovedSums, parts: readonly Pick<Entry, 'moved'>[]): MovedSums =>
  parts.reduce((total, { moved }) => addSums(total, moved), sum)

/** Caches the results of `find`: reservations of one batch need the same values. */
function memoised<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key) ?? find(key)
    known.set(key, found)
    return found
  }
}

/** Whether reservations must get a new date, and the latest of the later dates. */
function datesOf(
  dates: readonly Pick<Added, 'at' | 'laterAt'>[],
  latest: number | undefined,
): Pick<WindowUse, 'needsRedating' | 'laterAt'> {
  if (latest === undefined) return { needsRedating: false, laterAt: undefined }
  const later = dates.flatMap(({ laterAt }) => laterAt ?? [])
  return {
    needsRedating: dates.some(({ at }) => at > latest) || later.some((at) => at <= latest),
    laterAt: later.length === 0 ? undefined : Math.max(...later),
  }
}

/** Amounts moved since an epoch; the newest epoch's is stored with the total. */
function movedSinceEpoch(
  booking: Booking,
  epoch: number,
  root: SumsRow,
  ofEpochs: readonly ReservationRow[],
): MovedSums {
  if (root.epoch === null || root.epoch < epoch) return NOTHING_MOVED
  if (root.epoch === epoch) return fromText(root.in_epoch ?? toText(NOTHING_MOVED))
  const rows = ofEpochs.filter((row) => row.epoch >= epoch)
  assertSealed(booking, rows)
  return sumUp(reservationParts(rows.filter(isBooked)))
}

function assertSealed({ seal, agentNo }: Booking, rows: readonly ReservationRow[]): void {
  if (!rows.every(seal.isReservation)) throw new TamperedError(agentNo, 'the reservations')
}
