import { type Kysely, sql } from 'kysely'
import { orderedText } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

export async function createChainData(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('snapshots')
    .addColumn('network', 'text', (column) => column.primaryKey())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('checkpoint', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('epoch_records')
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('validator_id', orderedText(db), (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'text', (column) => column.notNull())
    .addColumn('shares', 'text', (column) => column.notNull())
    .addColumn('stake', 'text', (column) => column.notNull())
    .addColumn('commission_bps', 'integer', (column) => column.notNull())
    .addColumn('performed', 'integer')
    .addPrimaryKeyConstraint('epoch_records_key', ['network', 'epoch', 'validator_id'])
    .execute()
  await db.schema
    .createTable('sandbox_states')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute()
}
