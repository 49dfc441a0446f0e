import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

/** The audit log, which of its batches speak of an agent, and what makes changes to it visible. */
export async function createAudit(db: Kysely<Schema>): Promise<void> {
  await (isPostgres(db) ? createDailyLog(db) : createEmbeddedLog(db))
  await createEvidence(db)
}

/** The log of one process is one chain. An entry of the index names several batches. */
async function createEmbeddedLog(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('audit_batches')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('agent_batches')
    .addColumn('agent_no', 'integer', (column) => column.notNull())
    .addColumn('last_seq', 'bigint', (column) => column.notNull())
    .addColumn('seqs', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_batches_key', ['agent_no', 'last_seq'])
    .modifyEnd(sql`without rowid`)
    .execute()
}

/**
 * Where many instances write, each has a chain a day, whose batches have their places in it. The log is partitioned by
 * days, because dropping a day is quick and deleting its rows is not.
 */
async function createDailyLog(db: Kysely<Schema>): Promise<void> {
  await sql`create sequence audit_seq`.execute(db)
  await sql`
    create table audit_batches (
      seq bigint not null, day integer not null, instance text not null, place bigint not null,
      body text not null, hash text not null,
      primary key (seq, day), unique (instance, place, day)
    ) partition by range (day)`.execute(db)
  await sql`
    create table audit_agents (
      agent_no integer not null, seq bigint not null, day integer not null, primary key (agent_no, seq, day)
    ) partition by range (day)`.execute(db)
}

/** What makes changes to the log visible. */
async function createEvidence(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('audit_checkpoints')
    .addColumn('no', 'bigint', (column) => column.primaryKey())
    .addColumn('first_seq', 'bigint', (column) => column.notNull())
    .addColumn('last_seq', 'bigint', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('root', 'text', (column) => column.notNull())
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('signature', 'text', (column) => column.notNull())
    .addColumn('instance', 'text', (column) => column.notNull())
    .execute()
  // Finds how far each chain is signed, and which days are, without reading every checkpoint.
  await db.schema
    .createIndex('audit_checkpoints_by_chain')
    .on('audit_checkpoints')
    .columns(['day', 'instance', 'no'])
    .execute()
  await db.schema
    .createTable('audit_marks')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('no', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .execute()
}
