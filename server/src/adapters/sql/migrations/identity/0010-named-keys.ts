import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Several keys per agent, each bound to it by a MAC, and the last uses of named keys. */
export async function createNamedKeys(db: Kysely<Schema>): Promise<void> {
  for (const column of ['id', 'name', 'prefix', 'scopes', 'networks', 'mac'] as const) {
    await db.schema.alterTable('agent_keys').addColumn(column, 'text').execute()
  }
  for (const column of ['created_at', 'revoked_at'] as const) {
    await db.schema.alterTable('agent_keys').addColumn(column, 'bigint').execute()
  }
  await db.schema.createIndex('agent_keys_by_id').unique().on('agent_keys').column('id').execute()
  await db.schema
    .createTable('key_uses')
    .addColumn('key_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .execute()
}
