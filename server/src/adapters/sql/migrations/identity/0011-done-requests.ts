import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** Answers to requests with an idempotency key. */
export async function createDoneRequests(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('done_requests')
    .addColumn('digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('request_digest', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('done_requests_by_expiry').on('done_requests').column('expires_at').execute()
}
