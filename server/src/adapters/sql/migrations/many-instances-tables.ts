import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'

/**
 * What many instances need besides: who does which job, what they count together, and an audit log in which each has
 * a chain of its own. The log is cut by days, because dropping a day is quick and deleting its rows is not.
 */
export async function createForManyInstances(db: Kysely<Schema>): Promise<void> {
  if (!isPostgres(db)) return
  await createLeases(db)
  await createTraffic(db)
  await createDailyAudit(db)
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

/** Each instance has a chain a day, whose batches have their places in it; a checkpoint is about one chain. */
async function createDailyAudit(db: Kysely<Schema>): Promise<void> {
  await sql`create sequence audit_seq`.execute(db)
  await sql`
    create table audit_batches (
      seq bigint not null, day integer not null, instance text not null, place bigint not null,
      previous text not null, body text not null, hash text not null,
      primary key (seq, day), unique (instance, place, day)
    ) partition by range (day)`.execute(db)
  await sql`
    create table audit_agents (
      agent_no integer not null, seq bigint not null, day integer not null, primary key (agent_no, seq, day)
    ) partition by range (day)`.execute(db)
  await sql`alter table audit_checkpoints add column instance text not null default ''`.execute(db)
}
