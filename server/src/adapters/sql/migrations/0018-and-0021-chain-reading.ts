import type { Kysely } from 'kysely'
import { orderedText } from '../engine.ts'
import type { Schema } from '../schema.ts'

/** How far each chain was last seen: a row of few bytes, written with every read and asked for by every instance. */
export async function createSnapshotMarks(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('snapshot_marks')
    .addColumn('network', 'text', (column) => column.primaryKey().notNull())
    .addColumn('content_id', 'text', (column) => column.notNull())
    .addColumn('checkpoint', 'bigint', (column) => column.notNull())
    .addColumn('checkpoint_at', 'bigint', (column) => column.notNull())
    .execute()
}

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
