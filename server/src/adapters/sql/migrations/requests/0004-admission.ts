import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Counters of agents, users and addresses. */
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
  await db.schema.createIndex('agent_days_by_day').on('agent_days').column('day').execute()
  await db.schema.createIndex('user_activity_by_day').on('user_activity').column('day_start').execute()
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
