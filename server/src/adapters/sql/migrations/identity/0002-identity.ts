import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import { numbered } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

export async function createIdentity(db: Kysely<Schema>): Promise<void> {
  await createAgents(db)
  await createKeys(db)
  await createVerifications(db)
  await createOutbox(db)
  await createCounters(db)
}

async function createAgents(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('agents')
    .addColumn('no', 'integer', numbered(db))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('owner', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('wallet_address', 'text')
    .addColumn('identity_tier', 'text', required)
    .addColumn('tier', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('rpm', 'integer')
    .addColumn('rpd', 'integer')
    .addColumn('key_prefix', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('verify_by', 'bigint')
    .addColumn('verified_at', 'bigint')
    .addColumn('rotated_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('agents_by_owner').on('agents').columns(['owner', 'no']).execute()
}

async function createKeys(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('agent_keys')
    .addColumn('digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_no', 'integer', required)
    .addColumn('valid_until', 'bigint')
    .execute()
  await db.schema.createIndex('agent_keys_by_agent').on('agent_keys').column('agent_no').execute()
}

async function createVerifications(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('verifications')
    .addColumn('token_digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_no', 'integer', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('verifications_by_expiry').on('verifications').column('expires_at').execute()
}

async function createOutbox(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'integer', numbered(db))
    .addColumn('sealed', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('due_at', 'bigint', required)
    .addColumn('leased_until', 'bigint')
    .addColumn('attempts', 'integer', required)
    .addColumn('status', 'text', required)
    .execute()
  await db.schema.createIndex('outbox_by_due').on('outbox').columns(['status', 'due_at']).execute()
}

async function createCounters(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('mail_counts')
    .addColumn('key', 'text', required)
    .addColumn('at', 'bigint', required)
    .addColumn('mails', 'integer', required)
    .addPrimaryKeyConstraint('mail_counts_key', ['key', 'at'])
    .execute()
  await db.schema.createIndex('mail_counts_by_time').on('mail_counts').column('at').execute()
  await db.schema
    .createTable('registration_hits')
    .addColumn('name', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('window_start', 'bigint', required)
    .addColumn('hits', 'integer', required)
    .addPrimaryKeyConstraint('registration_hits_key', ['name', 'key'])
    .execute()
  await db.schema
    .createIndex('registration_hits_by_window')
    .on('registration_hits')
    .columns(['name', 'window_start'])
    .execute()
}
