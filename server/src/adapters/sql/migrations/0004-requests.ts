import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { key, required } from './columns.ts'

/** Counters of agents, users and addresses. */
export async function createRequests(db: Kysely<Schema>): Promise<void> {
  await activityTable(db, 'agent_activity')
    .addColumn('agent_no', 'integer', (column) => column.primaryKey())
    // The counts of its latest day are in the row of its quotas, so that a request changes one row.
    .addColumn('latest_day', 'integer')
    .addColumn('built', 'integer')
    .addColumn('built_aware', 'integer')
    .addColumn('tools', 'text')
    .execute()
  await activityTable(db, 'user_activity').addColumn('user_id', 'text', key).execute()
  await db.schema.createIndex('user_activity_by_day').on('user_activity').column('day_start').execute()
  await db.schema
    .createTable('agent_days')
    .addColumn('agent_no', 'integer', required)
    .addColumn('day', 'integer', required)
    .addColumn('tools', 'text', required)
    .addColumn('built', 'integer', required)
    .addColumn('built_aware', 'integer', required)
    .addPrimaryKeyConstraint('agent_days_key', ['agent_no', 'day'])
    .execute()
  await db.schema.createIndex('agent_days_by_day').on('agent_days').column('day').execute()
  await db.schema
    .createTable('address_hits')
    .addColumn('minute', 'bigint', required)
    .addColumn('high', 'bigint', required)
    .addColumn('low', 'bigint', required)
    .addColumn('hits', 'integer', required)
    .addPrimaryKeyConstraint('address_hits_key', ['minute', 'high', 'low'])
    .execute()
  await db.schema
    .createTable('seals')
    .addColumn('name', 'text', key)
    .addColumn('value', 'text', required)
    .execute()
}

function activityTable(db: Kysely<Schema>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('minute_start', 'bigint', required)
    .addColumn('minute_used', 'integer', required)
    .addColumn('day_start', 'bigint', required)
    .addColumn('day_used', 'integer', required)
    .addColumn('last_used_at', 'bigint', required)
    .addColumn('last_look_up_at', 'bigint', required)
    .addColumn('last_policy_check_at', 'bigint', required)
}
