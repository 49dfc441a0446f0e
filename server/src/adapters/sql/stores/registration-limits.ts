import { sql, type Transaction } from 'kysely'
import type { RegistrationLimit } from '#ports/stores/agents.ts'
import { lockSection } from '../engine.ts'
import type { Schema } from '../schema.ts'

export type LimitReached = {
  readonly kind: 'limited'
  readonly by: RegistrationLimit['name']
  readonly retryAt: number
}

/** The window that counts: the one asked for, or a newer one, when the clock has stepped back a little since. */
type Standing = { readonly limit: RegistrationLimit; readonly windowStart: number; readonly hits: number }

/** Charges every limit once, or none of them; then it says which one holds out the longest. */
export async function chargeLimits(
  transaction: Transaction<Schema>,
  limits: readonly RegistrationLimit[],
): Promise<LimitReached | undefined> {
  await lockSection(transaction, 'registrations')
  const standings: Standing[] = []
  for (const limit of limits) standings.push(await readStanding(transaction, limit))
  const reached = findReached(standings)
  if (reached) return reached
  for (const standing of standings) await charge(transaction, standing)
  return undefined
}

async function readStanding(transaction: Transaction<Schema>, limit: RegistrationLimit): Promise<Standing> {
  const newest = await transaction
    .selectFrom('registration_hits')
    .select((select) => select.fn.max('window_start').as('start'))
    .where('name', '=', limit.name)
    .where('window_start', '<=', limit.latestStart)
    .executeTakeFirst()
  const windowStart = Math.max(limit.windowStart, newest?.start ?? 0)
  const row = await transaction
    .selectFrom('registration_hits')
    .select('hits')
    .where('name', '=', limit.name)
    .where('key', '=', limit.key)
    .where('window_start', '=', windowStart)
    .executeTakeFirst()
  return { limit, windowStart, hits: row?.hits ?? 0 }
}

function findReached(standings: readonly Standing[]): LimitReached | undefined {
  return standings
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

/** Other windows leave with the charge of this one: the table holds one window of each limit. */
async function charge(transaction: Transaction<Schema>, { limit, windowStart }: Standing): Promise<void> {
  await transaction
    .deleteFrom('registration_hits')
    .where('name', '=', limit.name)
    .where('window_start', '<>', windowStart)
    .execute()
  await transaction
    .insertInto('registration_hits')
    .values({ name: limit.name, key: limit.key, window_start: windowStart, hits: 1 })
    .onConflict((conflict) =>
      conflict.columns(['name', 'key']).doUpdateSet({ hits: sql`registration_hits.hits + 1` }),
    )
    .execute()
}
