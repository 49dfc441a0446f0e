import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/**
 * MACs over policies and reservations, and sums of counting reservations, so that a window is summed up
 * without reading each.
 */
export async function sealMandates(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('policies').addColumn('mac', 'text').execute()
  await db.schema.alterTable('reservations').addColumn('state', 'text').execute()
  await db.schema.alterTable('reservations').addColumn('mac', 'text').execute()
  await db.schema
    .createTable('reserved_sums')
    .addColumn('agent_no', 'integer', (column) => column.notNull().references('agents.no'))
    .addColumn('level', 'integer', required)
    .addColumn('begins', 'bigint', required)
    .addColumn('entries', 'integer', required)
    .addColumn('moved', 'text', required)
    .addColumn('epoch', 'integer')
    .addColumn('in_epoch', 'text')
    .addColumn('mac', 'text', required)
    .addPrimaryKeyConstraint('reserved_sums_key', ['agent_no', 'level', 'begins'])
    .execute()
}
