import type { Kysely } from 'kysely'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { required } from './columns.ts'

/** The counts of all addresses of a commit in one row. Postgres has a row for each address instead. */
export async function createAddressJournal(db: Kysely<Schema>): Promise<void> {
  if (isPostgres(db)) return
  await db.schema
    .createTable('address_journal')
    .addColumn('no', 'integer', (column) => column.primaryKey())
    .addColumn('minute', 'bigint', required)
    .addColumn('body', 'text', required)
    .execute()
}
