import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export async function createSignInCodes(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('sign_in_codes')
    .addColumn('address_digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('code_digest', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sign_in_codes_by_expiry').on('sign_in_codes').column('expires_at').execute()
}
