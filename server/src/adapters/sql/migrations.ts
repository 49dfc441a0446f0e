import { type Kysely, sql } from 'kysely'
import { createAdmission } from './admission-tables.ts'
import { createAuditEvidence } from './audit-tables.ts'
import { createIdentity } from './identity-tables.ts'
import type { Schema } from './schema.ts'
import { createSignInCodes } from './sign-in-tables.ts'

type Migration = { readonly name: string; readonly up: (db: Kysely<Schema>) => Promise<void> }

/**
 * Forward only, in this order; a name that was released is never changed or removed. Column types and statements
 * mean the same to SQLite and to Postgres.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-chain-data', up: createChainData },
  { name: '0002-identity', up: createIdentity },
  { name: '0003-sign-in-codes', up: createSignInCodes },
  { name: '0004-admission', up: createAdmission },
  { name: '0005-audit-evidence', up: createAuditEvidence },
]

/** Applies what is missing, each step in a transaction of its own. Returns the names of the steps it applied. */
export async function migrate(db: Kysely<Schema>): Promise<readonly string[]> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute()
  const known = new Set((await db.selectFrom('migrations').select('name').execute()).map((row) => row.name))
  const missing = MIGRATIONS.filter((migration) => !known.has(migration.name))
  for (const { name, up } of missing) {
    await db.transaction().execute(async (transaction) => {
      await up(transaction)
      await transaction.insertInto('migrations').values({ name }).execute()
    })
  }
  return missing.map((migration) => migration.name)
}

async function createChainData(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('snapshots')
    .addColumn('network', 'text', (column) => column.primaryKey())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('checkpoint', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('epoch_records')
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('validator_id', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('tokens', 'text', (column) => column.notNull())
    .addColumn('shares', 'text', (column) => column.notNull())
    .addColumn('stake', 'text', (column) => column.notNull())
    .addColumn('commission_bps', 'integer', (column) => column.notNull())
    .addColumn('performed', 'integer')
    .addPrimaryKeyConstraint('epoch_records_key', ['network', 'epoch', 'validator_id'])
    .execute()
  await db.schema
    .createTable('sandbox_states')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute()
}
