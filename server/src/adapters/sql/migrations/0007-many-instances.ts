import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { key, required } from './columns.ts'

/** Tables for many instances: leases, shared traffic counters, and row versions for caches. */
export async function createForManyInstances(db: Kysely<Schema>): Promise<void> {
  if (!isPostgres(db)) return
  await createLeases(db)
  await createTraffic(db)
  await createVersions(db)
}

async function createLeases(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', key)
    .addColumn('holder', 'text', required)
    .addColumn('held_until', sql`timestamptz`, required)
    .execute()
}

/** Traffic counters. The fill factor leaves room on the page for frequent updates. */
async function createTraffic(db: Kysely<Schema>): Promise<void> {
  await sql`alter table address_hits set (fillfactor = 50)`.execute(db)
  await db.schema
    .createTable('traffic_seconds')
    .addColumn('second', 'bigint', required)
    .addColumn('instance', 'text', required)
    .addColumn('hits', 'integer', required)
    .addPrimaryKeyConstraint('traffic_seconds_key', ['second', 'instance'])
    .execute()
}

/**
 * Instances cache agents and keys, and read again those whose version differs. A trigger gives every written
 * row a version never used before. Only admission writes activity, with the number of its batch as version.
 */
async function createVersions(db: Kysely<Schema>): Promise<void> {
  await sql`create sequence row_versions`.execute(db)
  await sql`create function set_row_version() returns trigger language plpgsql as
    'begin new.version := nextval(''row_versions''); return new; end'`.execute(db)
  for (const table of ['agents', 'agent_keys']) {
    const name = sql.table(table)
    await sql`alter table ${name} add column version bigint not null default nextval('row_versions')`.execute(
      db,
    )
    await sql`create trigger ${sql.ref(`${table}_version`)} before update on ${name}
      for each row execute function set_row_version()`.execute(db)
  }
  await sql`alter table agent_activity add column version bigint not null default 0`.execute(db)
}
