import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** MAC over an approval. */
export async function sealApprovals(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('approvals').addColumn('mac', 'text').execute()
}
