import type { Kysely, Transaction } from 'kysely'
import { Fault } from '../../fault.ts'
import { boundLockWait } from './engine.ts'
import { lockSection } from './lock-order.ts'
import { createChain } from './migrations/0001-chain.ts'
import { createIdentity } from './migrations/0002-identity.ts'
import { createSignIn } from './migrations/0003-sign-in.ts'
import { createRequests } from './migrations/0004-requests.ts'
import { createAudit } from './migrations/0005-audit.ts'
import { createMandates } from './migrations/0006-mandates.ts'
import { createForManyInstances } from './migrations/0007-many-instances.ts'
import { createCounterJournal } from './migrations/0008-counter-journal.ts'
import { createAddressJournal } from './migrations/0009-address-journal.ts'
import { createAgentBatches } from './migrations/0010-agent-batches.ts'
import { createMailboxes } from './migrations/0011-mailboxes.ts'
import type { Schema } from './schema.ts'

type Migration = { readonly name: string; readonly up: (db: Kysely<Schema>) => Promise<void> }

/**
 * Forward only and in this order; a released name is never changed or removed.
 * Migrations only add, so that the previous version runs on this version's tables. Column types mean the same
 * to SQLite and Postgres.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-chain', up: createChain },
  { name: '0002-identity', up: createIdentity },
  { name: '0003-sign-in', up: createSignIn },
  { name: '0004-requests', up: createRequests },
  { name: '0005-audit', up: createAudit },
  { name: '0006-mandates', up: createMandates },
  { name: '0007-many-instances', up: createForManyInstances },
  { name: '0008-counter-journal', up: createCounterJournal },
  { name: '0009-address-journal', up: createAddressJournal },
  { name: '0010-agent-batches', up: createAgentBatches },
  { name: '0011-mailboxes', up: createMailboxes },
]

/** The first migrations of versions before the first release. */
const BEFORE_FIRST_RELEASE = ['0001-chain-data', '0001-chain-tables']

/** Whether the tables are of unreleased versions: they cannot be migrated, and their rows may have no seals. */
export const isUnreleased = (applied: Iterable<string>): boolean =>
  Array.from(applied).some((name) => BEFORE_FIRST_RELEASE.includes(name))

/** `where`: the file or database; `fix`: how to start with a new one. */
export const unreleased = (where: string, fix: string): Fault =>
  new Fault(
    'store_not_ready',
    `${where} was written by a version before the first release, and this version does not accept its rows. Nothing was changed. ${fix}`,
  )

/** Upper bound of the wait for table locks, which delays other instances. A start that times out is retried. */
const TABLE_LOCK_MS = 300

/**
 * Applies missing migrations, each in its own transaction, and returns their names. Of many instances that
 * start at once, only one applies each.
 */
export async function migrate(db: Kysely<Schema>): Promise<readonly string[]> {
  const applied: string[] = []
  const known = await db.transaction().execute(readApplied)
  if (isUnreleased(known))
    throw unreleased('The database', 'Start with an empty database and an empty DATA_DIR.')
  for (const { name, up } of MIGRATIONS.filter((migration) => !known.has(migration.name))) {
    const isOurs = await db.transaction().execute(async (transaction) => {
      if ((await readApplied(transaction)).has(name)) return false
      await boundLockWait(transaction, TABLE_LOCK_MS)
      await up(transaction)
      await transaction.insertInto('migrations').values({ name }).execute()
      return true
    })
    if (isOurs) applied.push(name)
  }
  return applied
}

async function readApplied(transaction: Transaction<Schema>): Promise<ReadonlySet<string>> {
  await lockSection(transaction, 'migrations')
  await transaction.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute()
  const rows = await transaction.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}
