import { sql, type Transaction } from 'kysely'
import type { RegistrationLimit } from '#ports/stores/agents.ts'
import { lockSection } from '../lock-order.ts'
import type { Schema } from '../schema.ts'

type LimitReached = {
  readonly kind: 'limited'
  readonly by: RegistrationLimit['name']
  readonly retryAt: number
}

/** The window in force: the requested one or, after a small step back of the clock, a newer one. */
type WindowCount = { readonly limit: RegistrationLimit; readonly windowStart: number; readonly hits: number }

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
  const newest = await transaction
    .selectFrom('registration_hits')
    .select((select) => ['name', select.fn.max('window_start').as('start')])
    .where(({ or, and, eb }) =>
      or(
        limits.map((limit) =>
          and([eb('name', '=', limit.name), eb('window_start', '<=', limit.latestStart)]),
        ),
      ),
    )
    .groupBy('name')
    .execute()
  const rows = await transaction
    .selectFrom('registration_hits')
    .selectAll()
    .where(({ or, and, eb }) =>
      or(limits.map((limit) => and([eb('name', '=', limit.name), eb('key', '=', limit.key)]))),
    )
    .execute()
  return limits.map((limit) => {
    const start = newest.find(({ name }) => name === limit.name)?.start ?? 0
    const windowStart = Math.max(limit.windowStart, start)
    const row = rows.find(({ name, window_start }) => name === limit.name && window_start === windowStart)
    return { limit, windowStart, hits: row?.hits ?? 0 }
  })
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

/** Also deletes other windows: the table holds one window per limit. */
async function charge(transaction: Transaction<Schema>, counts: readonly WindowCount[]): Promise<void> {
  await transaction
    .deleteFrom('registration_hits')
    .where(({ or, and, eb }) =>
      or(
        counts.map(({ limit, windowStart }) =>
          and([eb('name', '=', limit.name), eb('window_start', '<>', windowStart)]),
        ),
      ),
    )
    .execute()
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
      conflict.columns(['name', 'key']).doUpdateSet({ hits: sql`registration_hits.hits + 1` }),
    )
    .execute()
}
