import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** What binds an approval together; rows of before get theirs when the service starts. */
export async function sealApprovals(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('approvals').addColumn('mac', 'text').execute()
}
