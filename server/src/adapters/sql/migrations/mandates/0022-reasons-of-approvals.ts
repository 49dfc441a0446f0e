import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** The reason of existing approvals is unknown. */
const UNKNOWN = JSON.stringify({ rule: 'approvalAbove', revision: 0, limit: '0', actual: '0' })

/** The rule that requires an approval, and an index for waiting approvals over all agents of an owner. */
export async function addReasonsOfApprovals(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .alterTable('approvals')
    .addColumn('reason', 'text', (column) => column.notNull().defaultTo(UNKNOWN))
    .execute()
  await db.schema.createIndex('approvals_by_state').on('approvals').columns(['state', 'created_at']).execute()
}
