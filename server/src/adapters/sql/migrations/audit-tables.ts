import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'

/** What makes changes to the audit log visible, and what lets old rows be found without reading all. */
export async function createAuditEvidence(db: Kysely<Schema>): Promise<void> {
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
    .execute()
  await db.schema
    .createTable('audit_marks')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('no', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('agent_days_by_day').on('agent_days').column('day').execute()
  await db.schema.createIndex('user_activity_by_day').on('user_activity').column('day_start').execute()
}

/** Which batches speak of an agent; where many instances write, `many-instances-tables.ts` has it by days. */
export async function createAuditIndex(db: Kysely<Schema>): Promise<void> {
  if (isPostgres(db)) return
  await db.schema
    .createTable('agent_batches')
    .addColumn('agent_no', 'integer', (column) => column.notNull())
    .addColumn('last_seq', 'bigint', (column) => column.notNull())
    .addColumn('seqs', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_batches_key', ['agent_no', 'last_seq'])
    .modifyEnd(sql`without rowid`)
    .execute()
}

/** Lets retention find the days that are signed without reading every checkpoint. */
export async function createSignedDays(db: Kysely<Schema>): Promise<void> {
  await db.schema.createIndex('audit_checkpoints_by_day').on('audit_checkpoints').column('day').execute()
}
