import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { key, required } from './columns.ts'

/** The audit log, its index of agents, and the evidence that reveals changes to it. */
export async function createAudit(db: Kysely<Schema>): Promise<void> {
  await (isPostgres(db) ? createDailyLog(db) : createEmbeddedLog(db))
  await createEvidence(db)
}

/**
 * SQLite's log is one chain. An index entry names several batches. The type `integer`, and no other, makes `seq` the
 * rowid: any other type needs a separate index, which costs one more page per commit.
 */
async function createEmbeddedLog(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('audit_batches')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('day', 'integer', required)
    .addColumn('body', 'text', required)
    .addColumn('hash', 'text', required)
    .execute()
  await db.schema
    .createTable('agent_batches')
    .addColumn('agent_no', 'integer', required)
    .addColumn('last_seq', 'bigint', required)
    .addColumn('seqs', 'text', required)
    .addPrimaryKeyConstraint('agent_batches_key', ['agent_no', 'last_seq'])
    .modifyEnd(sql`without rowid`)
    .execute()
}

/**
 * With many instances, each has one chain per day, in which its batches have consecutive places. The log is
 * partitioned by day, because dropping a partition is quick and deleting its rows is not.
 */
async function createDailyLog(db: Kysely<Schema>): Promise<void> {
  await sql`create sequence audit_seq`.execute(db)
  await sql`
    create table audit_batches (
      seq bigint not null, day integer not null, instance text not null, place bigint not null,
      body text not null, hash text not null,
      primary key (seq, day), unique (instance, place, day)
    ) partition by range (day)`.execute(db)
}

/** Checkpoints and marks, which reveal changes to the log. */
async function createEvidence(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('audit_checkpoints')
    .addColumn('no', 'bigint', (column) => column.primaryKey())
    .addColumn('first_seq', 'bigint', required)
    .addColumn('last_seq', 'bigint', required)
    .addColumn('day', 'integer', required)
    .addColumn('at', 'bigint', required)
    .addColumn('root', 'text', required)
    .addColumn('previous', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('signature', 'text', required)
    .addColumn('instance', 'text', required)
    .addColumn('action_no', 'bigint')
    .addColumn('action_hash', 'text')
    .execute()
  // Finds the last checkpoint of each chain, and the signed days, without reading every checkpoint.
  await db.schema
    .createIndex('audit_checkpoints_by_chain')
    .on('audit_checkpoints')
    .columns(['day', 'instance', 'no'])
    .execute()
  await db.schema
    .createTable('audit_marks')
    .addColumn('name', 'text', key)
    .addColumn('no', 'bigint', required)
    .addColumn('hash', 'text', required)
    .addColumn('mac', 'text', required)
    .execute()
}
