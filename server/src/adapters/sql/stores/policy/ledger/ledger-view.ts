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

/** What was read of an agent's ledger in one transaction, and what the transaction adds to it. */
export type LedgerView = {
  /** Without what was added. */
  readonly sums: ReadonlyMap<string, SumsRow>
  readonly added: readonly Added[]
  /** Sums what counts in one of the parts that were read, with what was added. */
  count(part: WindowPart): WindowUse
  add(reservation: Added): void
}

type Found = {
  readonly sums: ReadonlyMap<string, SumsRow>
  readonly root: SumsRow
  readonly rows: readonly ReservationRow[]
  /** The rows since the first epoch that is counted, if that is not the newest. */
  readonly ofEpochs: readonly ReservationRow[]
}

export function openView(booking: Booking, { sums, root, rows, ofEpochs }: Found): LedgerView {
  const added: Added[] = []
  const booked = rows.filter(isBooked)
  const contentOf = remembered((row: ReservationRow) => {
    assertSealed(booking, [row])
    return toReservation(row)
  })
  const windowOf = remembered((minute: number) => {
    const { first, rest } = windowPath(booking, minute, sums, rows)
    return { first, rest: sumUp(rest) }
  })
  const sinceEpoch = remembered((epoch: number) => movedSinceEpoch(booking, epoch, root, ofEpochs))

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
        ...booked.filter(({ at }) => at > builtSince).map(contentOf),
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

/** Builds of one moment ask for the same. */
function remembered<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const found = known.get(key) ?? find(key)
    known.set(key, found)
    return found
  }
}

/** Whether dates have to be changed, and the latest later date. */
function datesOf(
  dates: readonly Pick<Added, 'at' | 'laterAt'>[],
  latest: number | undefined,
): Pick<WindowUse, 'isMisdated' | 'laterAt'> {
  if (latest === undefined) return { isMisdated: false, laterAt: undefined }
  const later = dates.flatMap(({ laterAt }) => laterAt ?? [])
  return {
    isMisdated: dates.some(({ at }) => at > latest) || later.some((at) => at <= latest),
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
  const counting = ofEpochs.filter((row) => isBooked(row) && row.epoch >= epoch)
  assertSealed(booking, counting)
  return sumUp(reservationParts(counting))
}

function assertSealed({ seal, agentNo }: Booking, rows: readonly ReservationRow[]): void {
  if (!rows.every(seal.isReservation)) throw new TamperedError(agentNo, 'the reservations')
}
