import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

export async function createWalletChallenges(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('wallet_challenges')
    .addColumn('nonce', 'text', (column) => column.primaryKey().notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('wallet_challenges_by_expiry')
    .on('wallet_challenges')
    .column('expires_at')
    .execute()
}
