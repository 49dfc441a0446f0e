import type { Kysely } from 'kysely'
import { orderedText } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

/** Exchange rates of a history that is still being read. Both amounts are null where the chain has no rate. */
export async function createReadRates(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('read_rates')
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('table_id', orderedText(db), (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'text')
    .addColumn('shares', 'text')
    .addPrimaryKeyConstraint('read_rates_key', ['network', 'table_id', 'epoch'])
    .execute()
}
