import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { key, required } from './columns.ts'

/** Credentials of users, and their sessions. */
export async function createSignIn(db: Kysely<Schema>): Promise<void> {
  await createCodes(db)
  await createSessions(db)
  await createAdminFactors(db)
  await db.schema
    .createTable('wallet_challenges')
    .addColumn('nonce', 'text', key)
    .addColumn('address', 'text', required)
    .addColumn('message', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema
    .createIndex('wallet_challenges_by_expiry')
    .on('wallet_challenges')
    .column('expires_at')
    .execute()
}

/** Mailed codes (several per address), tries at them, and the networks that used one. */
async function createCodes(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('mailed_codes')
    .addColumn('long_digest', 'text', key)
    .addColumn('address_digest', 'text', required)
    .addColumn('code_digest', 'text', required)
    .addColumn('network_digest', 'text', required)
    .addColumn('issued_at', 'bigint', required)
    .addColumn('code_expires_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('tries_by_strangers', 'integer', required)
    .execute()
  await db.schema.createIndex('mailed_codes_by_address').on('mailed_codes').column('address_digest').execute()
  await db.schema.createIndex('mailed_codes_by_expiry').on('mailed_codes').column('expires_at').execute()
  await db.schema
    .createTable('code_tries')
    .addColumn('long_digest', 'text', required)
    .addColumn('network_digest', 'text', required)
    .addColumn('tries', 'integer', required)
    .addPrimaryKeyConstraint('code_tries_key', ['long_digest', 'network_digest'])
    .execute()
  await db.schema
    .createTable('proven_networks')
    .addColumn('address_digest', 'text', required)
    .addColumn('network_digest', 'text', required)
    .addColumn('proven_at', 'bigint', required)
    .addPrimaryKeyConstraint('proven_networks_key', ['address_digest', 'network_digest'])
    .execute()
  await db.schema.createIndex('proven_networks_by_time').on('proven_networks').column('proven_at').execute()
}

/** Sessions whose tokens are valid: an ended session has no row. */
async function createSessions(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', key)
    .addColumn('user_id', 'text', required)
    .addColumn('issued_by', 'text')
    .addColumn('address', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('sessions_by_user').on('sessions').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute()
}

/** The second factors of admins, their recovery codes, and wrong tries at them. */
async function createAdminFactors(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('admin_factors')
    .addColumn('user_id', 'text', key)
    .addColumn('sealed', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint', required)
    .execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('digest', 'text', key)
    .addColumn('user_id', 'text', required)
    .execute()
  await db.schema.createIndex('recovery_codes_by_user').on('recovery_codes').column('user_id').execute()
  await db.schema
    .createTable('factor_tries')
    .addColumn('subject', 'text', required)
    .addColumn('network_digest', 'text', required)
    .addColumn('tries', 'integer', required)
    .addColumn('expires_at', 'bigint', required)
    .addPrimaryKeyConstraint('factor_tries_key', ['subject', 'network_digest'])
    .execute()
  await db.schema.createIndex('factor_tries_by_expiry').on('factor_tries').column('expires_at').execute()
}
