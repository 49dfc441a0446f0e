import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Answers to builds with an idempotency key. */
export async function createKeptBuilds(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('kept_builds')
    .addColumn('digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_no', 'integer', (column) => column.notNull().references('agents.no'))
    .addColumn('intent_id', 'text', required)
    .addColumn('request_digest', 'text', required)
    .addColumn('answer', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('is_free', 'integer', required)
    .execute()
  await db.schema.createIndex('kept_builds_by_expiry').on('kept_builds').column('expires_at').execute()
  await db.schema
    .createIndex('kept_builds_by_agent')
    .on('kept_builds')
    .columns(['agent_no', 'intent_id'])
    .execute()
}
