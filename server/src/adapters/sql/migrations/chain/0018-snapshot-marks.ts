import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** How far each chain was last seen: a row of few bytes, written with every read and asked for by every instance. */
export async function createSnapshotMarks(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('snapshot_marks')
    .addColumn('network', 'text', (column) => column.primaryKey().notNull())
    .addColumn('content_id', 'text', (column) => column.notNull())
    .addColumn('checkpoint', 'bigint', (column) => column.notNull())
    .addColumn('checkpoint_at', 'bigint', (column) => column.notNull())
    .execute()
}
