import type { Kysely } from 'kysely'
import { numbered } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { key, required } from './columns.ts'

/** Agents, their keys, management actions, mails and registration. */
export async function createIdentity(db: Kysely<Schema>): Promise<void> {
  await createAgents(db)
  await createKeys(db)
  await createActions(db)
  await createMails(db)
  await createRegistration(db)
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
    .addColumn('policy_revision', 'integer')
    .addColumn('mac', 'text')
    .execute()
  await db.schema.createIndex('agents_by_owner').on('agents').columns(['owner', 'no']).execute()
}

async function createKeys(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('agent_keys')
    .addColumn('digest', 'text', key)
    .addColumn('agent_no', 'integer', required)
    .addColumn('valid_until', 'bigint')
    .addColumn('id', 'text')
    .addColumn('name', 'text')
    .addColumn('prefix', 'text')
    .addColumn('scopes', 'text')
    .addColumn('networks', 'text')
    .addColumn('mac', 'text')
    .addColumn('created_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('agent_keys_by_agent').on('agent_keys').column('agent_no').execute()
  await db.schema.createIndex('agent_keys_by_id').unique().on('agent_keys').column('id').execute()
  await db.schema
    .createTable('key_uses')
    .addColumn('key_id', 'text', key)
    .addColumn('last_used_at', 'bigint', required)
    .execute()
}

async function createActions(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('agent_actions')
    .addColumn('no', 'integer', numbered(db))
    .addColumn('at', 'bigint', required)
    .addColumn('actor_kind', 'text', required)
    .addColumn('actor_id', 'text')
    .addColumn('actor_role', 'text')
    .addColumn('action', 'text', required)
    .addColumn('agent_id', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('via', 'text', required)
    .addColumn('details', 'text')
    .addColumn('previous', 'text', required)
    .addColumn('mac', 'text', required)
    .execute()
  await db.schema
    .createIndex('agent_actions_by_agent')
    .on('agent_actions')
    .columns(['agent_id', 'no'])
    .execute()
  await db.schema.createIndex('agent_actions_by_time').on('agent_actions').column('at').execute()
}

async function createMails(db: Kysely<Schema>): Promise<void> {
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
  await db.schema
    .createTable('mail_counts')
    .addColumn('key', 'text', required)
    .addColumn('at', 'bigint', required)
    .addColumn('mails', 'integer', required)
    .addPrimaryKeyConstraint('mail_counts_key', ['key', 'at'])
    .execute()
  await db.schema.createIndex('mail_counts_by_time').on('mail_counts').column('at').execute()
}

async function createRegistration(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('verifications')
    .addColumn('token_digest', 'text', key)
    .addColumn('agent_no', 'integer', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('verifications_by_expiry').on('verifications').column('expires_at').execute()
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
  // Answers to requests with an idempotency key.
  await db.schema
    .createTable('done_requests')
    .addColumn('digest', 'text', key)
    .addColumn('request_digest', 'text', required)
    .addColumn('answer', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('done_requests_by_expiry').on('done_requests').column('expires_at').execute()
}
