import { type Kysely, sql } from 'kysely'
import { orderedText } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { key, required } from './columns.ts'

/** Data read from the chains, and projections made from it. */
export async function createChain(db: Kysely<Schema>): Promise<void> {
  await createSnapshots(db)
  await createHistory(db)
  await db.schema
    .createTable('forecast_sets')
    .addColumn('network', 'text', required)
    .addColumn('epoch', 'bigint', required)
    .addColumn('engine_version', 'text', required)
    .addColumn('made_at', 'bigint', required)
    .addColumn('body', 'text', required)
    .addPrimaryKeyConstraint('forecast_sets_key', ['network', 'epoch', 'engine_version'])
    .execute()
  await db.schema
    .createTable('sandbox_states')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('version', 'bigint', required)
    .addColumn('state', 'text', required)
    .execute()
}

async function createSnapshots(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('snapshots')
    .addColumn('network', 'text', key)
    .addColumn('epoch', 'bigint', required)
    .addColumn('checkpoint', 'bigint', required)
    .addColumn('body', 'text', required)
    .execute()
  // The last checkpoint seen of each chain: a small row, written with every read, polled by every instance.
  await db.schema
    .createTable('snapshot_marks')
    .addColumn('network', 'text', key)
    .addColumn('content_id', 'text', required)
    .addColumn('checkpoint', 'bigint', required)
    .addColumn('checkpoint_at', 'bigint', required)
    .execute()
}

async function createHistory(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('epoch_records')
    .addColumn('network', 'text', required)
    .addColumn('epoch', 'bigint', required)
    .addColumn('validator_id', orderedText(db), required)
    .addColumn('ended_at', 'bigint', required)
    .addColumn('tokens', 'text', required)
    .addColumn('shares', 'text', required)
    .addColumn('stake', 'text', required)
    .addColumn('commission_bps', 'integer', required)
    .addColumn('performed', 'integer')
    .addColumn('commission_read', 'integer', required)
    .addPrimaryKeyConstraint('epoch_records_key', ['network', 'epoch', 'validator_id'])
    .execute()
  await db.schema
    .createTable('epoch_commissions')
    .addColumn('network', 'text', required)
    .addColumn('epoch', 'bigint', required)
    .addColumn('body', 'text', required)
    .addPrimaryKeyConstraint('epoch_commissions_key', ['network', 'epoch'])
    .execute()
  await db.schema
    .createTable('read_rates')
    .addColumn('network', 'text', required)
    .addColumn('table_id', orderedText(db), required)
    .addColumn('epoch', 'bigint', required)
    .addColumn('tokens', 'text')
    .addColumn('shares', 'text')
    .addPrimaryKeyConstraint('read_rates_key', ['network', 'table_id', 'epoch'])
    .execute()
}
