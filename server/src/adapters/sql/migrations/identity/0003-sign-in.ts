import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Mailed codes (several per address), tries at them, and the networks that used one. */
export async function createSignIn(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('mailed_codes')
    .addColumn('long_digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('address_digest', 'text', (column) => column.notNull())
    .addColumn('code_digest', 'text')
    .addColumn('network_digest', 'text', (column) => column.notNull())
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('code_expires_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('tries_by_strangers', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('mailed_codes_by_address').on('mailed_codes').column('address_digest').execute()
  await db.schema.createIndex('mailed_codes_by_expiry').on('mailed_codes').column('expires_at').execute()
  await db.schema
    .createTable('code_tries')
    .addColumn('long_digest', 'text', (column) => column.notNull())
    .addColumn('network_digest', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('code_tries_key', ['long_digest', 'network_digest'])
    .execute()
  await db.schema
    .createTable('proven_networks')
    .addColumn('address_digest', 'text', (column) => column.notNull())
    .addColumn('network_digest', 'text', (column) => column.notNull())
    .addColumn('proven_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('proven_networks_key', ['address_digest', 'network_digest'])
    .execute()
  await db.schema.createIndex('proven_networks_by_time').on('proven_networks').column('proven_at').execute()
}
