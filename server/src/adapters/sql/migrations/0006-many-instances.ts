import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'

/** What many instances need besides: who does which job, and what they count together. */
export async function createForManyInstances(db: Kysely<Schema>): Promise<void> {
  if (!isPostgres(db)) return
  await createLeases(db)
  await createTraffic(db)
}

async function createLeases(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('held_until', sql`timestamptz`, (column) => column.notNull())
    .execute()
}

/** What addresses and everybody have sent; rows that change with every turn leave room for it on their page. */
async function createTraffic(db: Kysely<Schema>): Promise<void> {
  await sql`alter table address_hits set (fillfactor = 50)`.execute(db)
  await db.schema
    .createTable('traffic_seconds')
    .addColumn('second', 'bigint', (column) => column.notNull())
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('hits', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_seconds_key', ['second', 'instance'])
    .execute()
}
