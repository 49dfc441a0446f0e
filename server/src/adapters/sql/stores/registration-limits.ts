import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { RegistrationLimit } from '#ports/stores/agents.ts'
import { lockSection } from '../lock-order.ts'
import type { Schema } from '../schema.ts'

type LimitReached = {
  readonly kind: 'limited'
  readonly by: RegistrationLimit['name']
  readonly retryAt: number
}

/** The window in force: the requested one or, after a small step back of the clock, a newer one. */
type WindowCount = {
  readonly limit: RegistrationLimit
  readonly windowStart: number
  readonly hits: number
  /** Whether there are rows of earlier and of later windows. */
  readonly hasEarlier: boolean
  readonly hasLater: boolean
}

/** Charges every limit once, or none; then returns the reached limit that ends last. */
export async function chargeLimits(
  transaction: Transaction<Schema>,
  limits: readonly RegistrationLimit[],
): Promise<LimitReached | undefined> {
  await lockSection(transaction, 'registrations')
  if (limits.length === 0) return undefined
  const counts = await readCounts(transaction, limits)
  const reached = findReached(counts)
  if (reached) return reached
  await charge(transaction, counts)
  return undefined
}

/** Registrations are serialised by a lock, so each query covers all limits at once. */
async function readCounts(
  transaction: Transaction<Schema>,
  limits: readonly RegistrationLimit[],
): Promise<readonly WindowCount[]> {
  const windows = await readWindows(transaction, limits)
  const rows = await transaction
    .selectFrom('registration_hits')
    .selectAll()
    .where(({ or, and, eb }) =>
      or(limits.map((limit) => and([eb('name', '=', limit.name), eb('key', '=', limit.key)]))),
    )
    .execute()
  return limits.map((limit) => {
    const kept = windows.find(({ name }) => name === limit.name)
    const windowStart = Math.max(limit.windowStart, kept?.present ?? 0)
    const row = rows.find(({ name, window_start }) => name === limit.name && window_start === windowStart)
    const hasEarlier = (kept?.first ?? windowStart) < windowStart
    const hasLater = (kept?.last ?? windowStart) > windowStart
    return { limit, windowStart, hits: row?.hits ?? 0, hasEarlier, hasLater }
  })
}

type Windows = {
  readonly name: string
  readonly first: number | null
  /** The newest one that is not ahead. */
  readonly present: number | null
  readonly last: number | null
}

/** The windows of each limit, by look-ups in an index: a window may have a row for every network. */
async function readWindows(transaction: Transaction<Schema>, limits: readonly RegistrationLimit[]) {
  const ofLimits = limits.map(({ name, latestStart }) => {
    const find = (end: 'min' | 'max', condition = sql``) =>
      sql`(select ${sql.raw(end)}(window_start) from registration_hits where name = ${name}${condition})`
    const present = find('max', sql` and window_start <= ${latestStart}`)
    return sql`select ${name} as name, ${find('min')} as first, ${present} as present, ${find('max')} as last`
  })
  return (await sql<Windows>`${sql.join(ofLimits, sql` union all `)}`.execute(transaction)).rows
}

function findReached(counts: readonly WindowCount[]): LimitReached | undefined {
  return counts
    .filter(({ limit, hits }) => hits >= limit.limit)
    .map(({ limit, windowStart }) => ({
      kind: 'limited' as const,
      by: limit.name,
      retryAt: windowStart + (limit.windowEnd - limit.windowStart),
    }))
    .reduce<LimitReached | undefined>(
      (latest, reached) => (latest && latest.retryAt >= reached.retryAt ? latest : reached),
      undefined,
    )
}

/** Rows deleted per charge and limit, on either side of the window: another window may have one for every network. */
const SWEEP_ROWS = 500

/** Also deletes some rows of other windows: the rest are replaced or deleted by later charges. */
async function charge(transaction: Transaction<Schema>, counts: readonly WindowCount[]): Promise<void> {
  for (const { limit, windowStart, hasEarlier, hasLater } of counts) {
    if (hasEarlier) await sweep(transaction, limit.name, sql`window_start < ${windowStart}`)
    if (hasLater) await sweep(transaction, limit.name, sql`window_start > ${windowStart}`)
  }
  await transaction
    .insertInto('registration_hits')
    .values(
      counts.map(({ limit: { name, key }, windowStart }) => ({
        name,
        key,
        window_start: windowStart,
        hits: 1,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['name', 'key']).doUpdateSet(({ ref }) => ({
        window_start: ref('excluded.window_start'),
        hits: sql`case when registration_hits.window_start = excluded.window_start
          then registration_hits.hits else 0 end + 1`,
      })),
    )
    .execute()
}

const sweep = (
  transaction: Transaction<Schema>,
  name: RegistrationLimit['name'],
  isOther: RawBuilder<unknown>,
) =>
  sql`delete from registration_hits where name = ${name} and key in (
    select key from registration_hits where name = ${name} and ${isOther} limit ${sql.lit(SWEEP_ROWS)})`.execute(
    transaction,
  )
