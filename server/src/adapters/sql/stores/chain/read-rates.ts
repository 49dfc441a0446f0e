import { type Kysely, type Selectable, sql } from 'kysely'
import type { ReadRate, ReadRates } from '#ports/chain/read-rates.ts'
import { rowsOf } from '../../engine.ts'
import type { Schema } from '../../schema.ts'
import { amount } from '../../stored-shape.ts'

const ROWS_PER_STATEMENT = 2_000

export function sqlReadRates(db: Kysely<Schema>): ReadRates {
  return {
    async load(network) {
      const rates: ReadRate[] = []
      for (;;) {
        const after = rates.at(-1) ?? { tableId: '', epoch: -1 }
        const rows = await db
          .selectFrom('read_rates')
          .selectAll()
          .where('network', '=', network)
          .where(sql<boolean>`(table_id, epoch) > (${after.tableId}, ${after.epoch})`)
          .orderBy('table_id')
          .orderBy('epoch')
          .limit(ROWS_PER_STATEMENT)
          .execute()
        rates.push(...rows.map(toReadRate))
        if (rows.length < ROWS_PER_STATEMENT) return rates
      }
    },
    async add(network, rates) {
      const rows = rates.map(({ tableId, epoch, rate }) => ({
        table_id: tableId,
        epoch,
        tokens: rate ? String(rate.tokens) : null,
        shares: rate ? String(rate.shares) : null,
      }))
      await sql`
        insert into read_rates (network, table_id, epoch, tokens, shares)
        select cast(${network} as text), row ->> 'table_id', cast(row ->> 'epoch' as bigint), row ->> 'tokens', row ->> 'shares'
        from ${rowsOf(db, rows)} where true
        on conflict (network, table_id, epoch) do nothing`.execute(db)
    },
    async clear(network) {
      await db.deleteFrom('read_rates').where('network', '=', network).execute()
    },
  }
}

function toReadRate(row: Selectable<Schema['read_rates']>): ReadRate {
  const { table_id: tableId, epoch, tokens, shares } = row
  const hasRate = tokens !== null && shares !== null
  const rate = hasRate ? { tokens: amount(tokens, 'tokens'), shares: amount(shares, 'shares') } : undefined
  return { tableId, epoch, rate }
}
