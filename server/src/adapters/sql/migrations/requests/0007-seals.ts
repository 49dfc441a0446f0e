import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

export async function createSeals(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('seals')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}
