import { sql, type Transaction } from 'kysely'
import type { MovedSums } from '#ports/stores/reservations.ts'
import type { Database, Schema } from '../../../schema.ts'
import { readItems } from '../reservation-content.ts'
import { type LedgerSeal, type ReservationRow, type SumsRow, TamperedError } from './ledger-seal.ts'
import { ALL, beginOf, keyOf, LEVELS, MINUTE } from './levels.ts'
import { addSums, fromText, isBelowZero, movedIn, NOTHING_MOVED, subtractSums, toText } from './moved-sums.ts'

/** The contribution of one reservation to the sums. */
export type Entry = Pick<ReservationRow, 'at' | 'epoch'> & { readonly moved: MovedSums }

export const entryOf = (row: Pick<ReservationRow, 'at' | 'epoch' | 'items'>): Entry => ({
  at: row.at,
  epoch: row.epoch,
  moved: movedIn(readItems(row)),
})

/** The agent whose sums are changed, and the seal for them. */
export type Booking = { readonly seal: LedgerSeal; readonly agentNo: number }

type Sums = Omit<SumsRow, 'mac'>

const emptySums = (agentNo: number, level: number, begins: number): Sums => ({
  agent_no: agentNo,
  level,
  begins,
  entries: 0,
  moved: toText(NOTHING_MOVED),
  epoch: null,
  in_epoch: null,
})

/** Merged entries of one minute and one epoch, which change the same sums. */
type MergedEntries = Entry & { readonly count: number }

/** One sum with the entries added or subtracted. */
function withEntries(sums: Sums, { epoch, moved, count }: MergedEntries, sign: 1 | -1): Sums {
  const combine = sign === 1 ? addSums : subtractSums
  const next = {
    ...sums,
    entries: sums.entries + sign * count,
    moved: toText(combine(fromText(sums.moved), moved)),
  }
  if (sums.level !== ALL) return next
  if (sums.epoch === epoch)
    return { ...next, in_epoch: toText(combine(fromText(sums.in_epoch ?? toText(NOTHING_MOVED)), moved)) }
  const startsEpoch = sign === 1 && (sums.epoch === null || epoch > sums.epoch)
  return startsEpoch ? { ...next, epoch, in_epoch: toText(moved) } : next
}

/** The sums of exactly these entries. */
export function sumsOf(agentNo: number, entries: readonly Entry[]): ReadonlyMap<string, Sums> {
  const sums = new Map<string, Sums>([[keyOf({ level: ALL, begins: 0 }), emptySums(agentNo, ALL, 0)]])
  addTo(sums, agentNo, entries, 1)
  return sums
}

function addTo(sums: Map<string, Sums>, agentNo: number, entries: readonly Entry[], sign: 1 | -1): void {
  for (const merged of mergeEqual(entries))
    for (const level of LEVELS) {
      const begins = beginOf(level, merged.at)
      const key = keyOf({ level, begins })
      sums.set(key, withEntries(sums.get(key) ?? emptySums(agentNo, level, begins), merged, sign))
    }
}

function mergeEqual(entries: readonly Entry[]): Iterable<MergedEntries> {
  const merged = new Map<string, MergedEntries>()
  for (const { at, epoch, moved } of entries) {
    const key = `${beginOf(MINUTE, at)} ${epoch}`
    const same = merged.get(key)
    merged.set(key, {
      at,
      epoch,
      moved: same ? addSums(same.moved, moved) : moved,
      count: (same?.count ?? 0) + 1,
    })
  }
  return merged.values()
}

/** Creates the sums of an agent. Without the row of the total its windows cannot be summed. */
export async function beginSums(
  transaction: Transaction<Schema>,
  { seal, agentNo }: Booking,
  entries: readonly Entry[] = [],
): Promise<void> {
  await write(transaction, seal, [...sumsOf(agentNo, entries).values()])
}

/**
 * Adds entries to the sums, or subtracts them. The transaction must have locked the agent. `read`: the sums that the
 * entries belong to, if the transaction has read them already.
 */
export async function book(
  transaction: Transaction<Schema>,
  { seal, agentNo }: Booking,
  entries: readonly Entry[],
  sign: 1 | -1,
  read?: ReadonlyMap<string, SumsRow>,
): Promise<void> {
  if (entries.length === 0) return
  const sums = new Map<string, Sums>()
  for (const row of read ? within(read, entries) : await readSums(transaction, agentNo, entries)) {
    if (!seal.isSums(row)) throw new TamperedError(agentNo, 'the sums')
    sums.set(keyOf(row), row)
  }
  if (!sums.has(keyOf({ level: ALL, begins: 0 }))) throw new TamperedError(agentNo, 'the sums')
  addTo(sums, agentNo, entries, sign)
  const all = [...sums.values()]
  if (all.some(({ entries: count, moved }) => count < 0 || isBelowZero(fromText(moved))))
    throw new TamperedError(agentNo, 'the sums')
  const isEmpty = ({ level, entries: count }: Sums) => level !== ALL && count === 0
  await write(
    transaction,
    seal,
    all.filter((one) => !isEmpty(one)),
  )
  for (const [level, empty] of Map.groupBy(all.filter(isEmpty), (one) => one.level))
    await transaction
      .deleteFrom('reserved_sums')
      .where('agent_no', '=', agentNo)
      .where('level', '=', level)
      .where(
        'begins',
        'in',
        empty.map(({ begins }) => begins),
      )
      .execute()
}

function within(sums: ReadonlyMap<string, SumsRow>, entries: readonly Entry[]): Iterable<SumsRow> {
  const minutes = new Set(entries.map(({ at }) => beginOf(MINUTE, at)))
  const keys = [...minutes].flatMap((at) =>
    LEVELS.map((level) => keyOf({ level, begins: beginOf(level, at) })),
  )
  return new Set(keys.flatMap((key) => sums.get(key) ?? []))
}

/** The sums that these entries belong to. */
async function readSums(
  db: Database,
  agentNo: number,
  entries: readonly Entry[],
): Promise<readonly SumsRow[]> {
  const parts = LEVELS.map((level) => {
    const begins = [...new Set(entries.map(({ at }) => beginOf(level, at)))]
    return sql`select * from reserved_sums
      where agent_no = ${agentNo} and level = ${sql.lit(level)} and begins in (${sql.join(begins)})`
  })
  return (await sql<SumsRow>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

const STEP_ROWS = 200

async function write(
  transaction: Transaction<Schema>,
  seal: LedgerSeal,
  sums: readonly Sums[],
): Promise<void> {
  for (let first = 0; first < sums.length; first += STEP_ROWS) {
    const rows = sums.slice(first, first + STEP_ROWS).map((row) => {
      const { agent_no, level, begins, entries, moved, epoch, in_epoch } = row
      return { agent_no, level, begins, entries, moved, epoch, in_epoch, mac: seal.sealSums(row) }
    })
    await transaction
      .insertInto('reserved_sums')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['agent_no', 'level', 'begins']).doUpdateSet(({ ref }) => ({
          entries: ref('excluded.entries'),
          moved: ref('excluded.moved'),
          epoch: ref('excluded.epoch'),
          in_epoch: ref('excluded.in_epoch'),
          mac: ref('excluded.mac'),
        })),
      )
      .execute()
  }
}
