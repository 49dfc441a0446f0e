import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { key, required } from './columns.ts'

const ofAgent = (column: ColumnDefinitionBuilder) => column.notNull().references('agents.no')

/** Policies of agents, and the reservations, approvals and kept builds under them. */
export async function createMandates(db: Kysely<Schema>): Promise<void> {
  await createPolicies(db)
  await createReservations(db)
  await createSums(db)
  await createApprovals(db)
  await createKeptBuilds(db)
}

async function createPolicies(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('policies')
    .addColumn('agent_no', 'integer', ofAgent)
    .addColumn('revision', 'integer', required)
    .addColumn('hash', 'text', required)
    .addColumn('document', 'text', required)
    .addColumn('changed_at', 'bigint', required)
    .addColumn('changed_by', 'text', required)
    .addColumn('changed_role', 'text', required)
    .addColumn('loosen_ms', 'bigint', required)
    .addColumn('holds_until', 'bigint')
    .addColumn('mac', 'text')
    .addPrimaryKeyConstraint('policies_key', ['agent_no', 'revision'])
    .execute()
}

/** Transactions built for agents whose policy has windows. */
async function createReservations(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('reservations')
    .addColumn('id', 'text', key)
    .addColumn('intent_id', 'text', required)
    .addColumn('agent_no', 'integer', ofAgent)
    .addColumn('at', 'bigint', required)
    .addColumn('later_at', 'bigint')
    .addColumn('expires_at', 'bigint', required)
    .addColumn('epoch', 'integer', required)
    .addColumn('sender', 'text')
    .addColumn('items', 'text', required)
    .addColumn('state', 'text')
    .addColumn('mac', 'text')
    .execute()
  const indexed = {
    reservations_by_intent: ['agent_no', 'intent_id'],
    reservations_by_agent: ['agent_no', 'at'],
    reservations_by_age: ['at'],
    reservations_by_sender: ['sender'],
    reservations_by_expiry: ['expires_at'],
  }
  for (const [name, columns] of Object.entries(indexed))
    await db.schema.createIndex(name).on('reservations').columns(columns).execute()
  await db.schema
    .createIndex('reservations_by_later_date')
    .on('reservations')
    .columns(['agent_no', 'later_at'])
    .where('later_at', 'is not', null)
    .execute()
}

/** Sums of counting reservations, so that a window is summed without reading each of them. */
async function createSums(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('reserved_sums')
    .addColumn('agent_no', 'integer', ofAgent)
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

/** Transactions that an owner must approve before they are built. */
async function createApprovals(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('id', 'text', key)
    .addColumn('agent_no', 'integer', ofAgent)
    .addColumn('no', 'integer', required)
    .addColumn('wish_hash', 'text', required)
    .addColumn('wish', 'text', required)
    .addColumn('reason', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('decided_role', 'text')
    .addColumn('intent_id', 'text')
    .addColumn('mac', 'text')
    .addUniqueConstraint('approvals_by_agent', ['agent_no', 'no'])
    .execute()
  await db.schema.createIndex('approvals_by_expiry').on('approvals').column('expires_at').execute()
  await db.schema.createIndex('approvals_by_state').on('approvals').columns(['state', 'created_at']).execute()
}

/** Answers to builds with an idempotency key. */
async function createKeptBuilds(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('kept_builds')
    .addColumn('digest', 'text', key)
    .addColumn('agent_no', 'integer', ofAgent)
    .addColumn('intent_id', 'text', required)
    .addColumn('request_digest', 'text', required)
    .addColumn('answer', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('is_free', 'integer', required)
    .execute()
  await db.schema.createIndex('kept_builds_by_expiry').on('kept_builds').column('expires_at').execute()
  await db.schema
    .createIndex('kept_builds_by_agent')
    .on('kept_builds')
    .columns(['agent_no', 'intent_id'])
    .execute()
}
