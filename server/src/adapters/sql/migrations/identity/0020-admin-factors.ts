import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()

/** The second factors of admins, their recovery codes, and wrong tries at them. */
export async function createAdminFactors(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('admin_factors')
    .addColumn('user_id', 'text', key)
    .addColumn('sealed', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint', required)
    .execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('digest', 'text', key)
    .addColumn('user_id', 'text', required)
    .execute()
  await db.schema.createIndex('recovery_codes_by_user').on('recovery_codes').column('user_id').execute()
  await db.schema
    .createTable('factor_tries')
    .addColumn('subject', 'text', required)
    .addColumn('network_digest', 'text', required)
    .addColumn('tries', 'integer', required)
    .addColumn('expires_at', 'bigint', required)
    .addPrimaryKeyConstraint('factor_tries_key', ['subject', 'network_digest'])
    .execute()
  await db.schema.createIndex('factor_tries_by_expiry').on('factor_tries').column('expires_at').execute()
}
