import type { Kysely } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'

/** What is counted for agents and users, and the audit log. */
export async function createAdmission(db: Kysely<Schema>): Promise<void> {
  await activityTable(db, 'agent_activity')
    .addColumn('agent_no', 'integer', (column) => column.primaryKey())
    .execute()
  await activityTable(db, 'user_activity')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .execute()
  await db.schema
    .createTable('agent_days')
    .addColumn('agent_no', 'integer', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('tools', 'text', (column) => column.notNull())
    .addColumn('built', 'integer', (column) => column.notNull())
    .addColumn('built_aware', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_days_key', ['agent_no', 'day'])
    .execute()
  await db.schema
    .createTable('address_hits')
    .addColumn('minute', 'bigint', (column) => column.notNull())
    .addColumn('high', 'bigint', (column) => column.notNull())
    .addColumn('low', 'bigint', (column) => column.notNull())
    .addColumn('hits', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('address_hits_key', ['minute', 'high', 'low'])
    .execute()
  if (!isPostgres(db)) await createAudit(db)
}

/** The log of one process is one chain. Where many write it, it is laid out by days: `many-instances-tables.ts`. */
async function createAudit(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('audit_batches')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  // Which batches speak of an agent: one entry per batch, however many of its requests are in it.
  await db.schema
    .createTable('audit_agents')
    .addColumn('agent_no', 'integer', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_agents_key', ['agent_no', 'seq'])
    .execute()
}

function activityTable(db: Kysely<Schema>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('minute_start', 'bigint', (column) => column.notNull())
    .addColumn('minute_used', 'integer', (column) => column.notNull())
    .addColumn('day_start', 'bigint', (column) => column.notNull())
    .addColumn('day_used', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('last_look_up_at', 'bigint', (column) => column.notNull())
    .addColumn('last_policy_check_at', 'bigint', (column) => column.notNull())
}
