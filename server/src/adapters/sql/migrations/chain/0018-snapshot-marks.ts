import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** The last checkpoint seen of each chain: a small row, written with every read, polled by every instance. */
export async function createSnapshotMarks(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('snapshot_marks')
    .addColumn('network', 'text', (column) => column.primaryKey().notNull())
    .addColumn('content_id', 'text', (column) => column.notNull())
    .addColumn('checkpoint', 'bigint', (column) => column.notNull())
    .addColumn('checkpoint_at', 'bigint', (column) => column.notNull())
    .execute()
}
