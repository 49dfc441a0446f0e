import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Transactions built for agents whose policy has windows. */
export async function createReservations(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('reservations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('intent_id', 'text', required)
    .addColumn('agent_no', 'integer', (column) => column.notNull().references('agents.no'))
    .addColumn('at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('epoch', 'integer', required)
    .addColumn('sender', 'text')
    .addColumn('items', 'text', required)
    .execute()
  await db.schema
    .createIndex('reservations_by_intent')
    .on('reservations')
    .columns(['agent_no', 'intent_id'])
    .execute()
  await db.schema
    .createIndex('reservations_by_agent')
    .on('reservations')
    .columns(['agent_no', 'at'])
    .execute()
}
