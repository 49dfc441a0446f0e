import type { Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

/** The commissions of all validators as read in an epoch, until its records are written. */
export async function createEpochCommissions(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('epoch_commissions')
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('epoch_commissions_key', ['network', 'epoch'])
    .execute()
}
