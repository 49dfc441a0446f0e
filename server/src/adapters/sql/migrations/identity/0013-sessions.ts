import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Sessions whose tokens are valid: an ended session has no row. */
export async function createSessions(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('sessions_by_user').on('sessions').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute()
}
