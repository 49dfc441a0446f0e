import type { Selectable } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Schema } from '../../../schema.ts'

/**
 * Without the pepper, nobody who can write the database can shrink, move or release what counts against a
 * window: each reservation is sealed, and so are the sums, which include the number of reservations.
 */

export type ReservationRow = Selectable<Schema['reservations']>
export type SumsRow = Selectable<Schema['reserved_sums']>

/** A row of an agent's ledger is missing or has a wrong seal. */
export class TamperedError extends Error {
  readonly agentNo: number
  constructor(agentNo: number, what: string) {
    super(`${what} of agent ${agentNo} were changed behind the back of the service`)
    this.agentNo = agentNo
  }
}

const reservationText = (row: Omit<ReservationRow, 'mac'>): string =>
  JSON.stringify([
    row.id,
    row.agent_no,
    row.intent_id,
    row.at,
    row.expires_at,
    row.epoch,
    row.sender,
    row.items,
    row.state,
    row.later_at,
  ])

const sumsText = (row: Omit<SumsRow, 'mac'>): string =>
  `${row.agent_no} ${row.level} ${row.begins} ${row.entries} ${row.moved} ${row.epoch} ${row.in_epoch}`

/** Most seals in the cache. */
const MAX_KNOWN = 20_000

export type LedgerSeal = ReturnType<typeof ledgerSeal>

/** Caches verified seals: most rows of a window were checked before and are only compared. */
export function ledgerSeal(secrets: Pick<Secrets, 'digest'>) {
  const known = new Map<string, string>()
  const macOf = (text: string) => secrets.digest('reservation record', text)
  const remember = (text: string) => {
    const mac = macOf(text)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(mac, text)
    return mac
  }
  const isRight = (text: string, mac: string | null) =>
    mac !== null && (known.get(mac) === text || remember(text) === mac)
  return {
    sealReservation: (row: Omit<ReservationRow, 'mac'>): string => macOf(reservationText(row)),
    isReservation: (row: ReservationRow): boolean => isRight(reservationText(row), row.mac),
    sealSums: (row: Omit<SumsRow, 'mac'>): string => remember(sumsText(row)),
    isSums: (row: SumsRow): boolean => isRight(sumsText(row), row.mac),
  }
}
