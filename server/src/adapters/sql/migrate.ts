import { type Kysely, sql, type Transaction } from 'kysely'
import { orderedText, takeTurn } from './engine.ts'
import { createAdmission } from './migrations/admission-tables.ts'
import { createAuditEvidence, createAuditIndex, createSignedDays } from './migrations/audit-tables.ts'
import { createIdentity } from './migrations/identity-tables.ts'
import { createForManyInstances } from './migrations/many-instances-tables.ts'
import { createMailedCodes, createSignInCodes } from './migrations/sign-in-tables.ts'
import type { Schema } from './schema.ts'
import { createSeals } from './stores/pepper.ts'

type Migration = { readonly name: string; readonly up: (db: Kysely<Schema>) => Promise<void> }

/**
 * Forward only, in this order; a name that was released is never changed or removed. They only add, so that the
 * version before runs on the tables of this one. Column types mean the same to SQLite and to Postgres.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-chain-data', up: createChainData },
  { name: '0002-identity', up: createIdentity },
  { name: '0003-sign-in-codes', up: createSignInCodes },
  { name: '0004-admission', up: createAdmission },
  { name: '0005-audit-evidence', up: createAuditEvidence },
  { name: '0006-many-instances', up: createForManyInstances },
  { name: '0007-seals', up: createSeals },
  { name: '0008-audit-index', up: createAuditIndex },
  { name: '0009-signed-days', up: createSignedDays },
  { name: '0010-mailed-codes', up: createMailedCodes },
]

/**
 * Applies what is missing, each step in a transaction of its own. Returns the names of the steps it applied: of many
 * instances that start at once, each step is applied by one.
 */
export async function migrate(db: Kysely<Schema>): Promise<readonly string[]> {
  const applied: string[] = []
  const known = await db.transaction().execute(readApplied)
  for (const { name, up } of MIGRATIONS.filter((migration) => !known.has(migration.name))) {
    const isOurs = await db.transaction().execute(async (transaction) => {
      if ((await readApplied(transaction)).has(name)) return false
      await up(transaction)
      await transaction.insertInto('migrations').values({ name }).execute()
      return true
    })
    if (isOurs) applied.push(name)
  }
  return applied
}

async function readApplied(transaction: Transaction<Schema>): Promise<ReadonlySet<string>> {
  await takeTurn(transaction, 'migrations')
  await transaction.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute()
  const rows = await transaction.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
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
    .addColumn('validator_id', orderedText(db), (column) => column.notNull())
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
