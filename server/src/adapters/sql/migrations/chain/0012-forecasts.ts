import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

export async function createForecasts(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('forecast_sets')
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('engine_version', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('forecast_sets_key', ['network', 'epoch', 'engine_version'])
    .execute()
}
