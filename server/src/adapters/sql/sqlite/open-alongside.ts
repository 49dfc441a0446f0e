import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { Fault } from '../../../fault.ts'
import { MIGRATIONS } from '../migrate.ts'
import type { Database, Schema } from '../schema.ts'
import { sqliteDialect } from './dialect.ts'
import { withSqliteFaults } from './errors.ts'
import { inspectSqlite } from './inspection.ts'

/** The service holds the lock for one commit at a time; this connection may wait for many. */
const TIMEOUT_MS = 5_000

type SqliteAlongside = AsyncDisposable & { readonly db: Database }

/**
 * Opens the SQLite store for a short transaction beside a running service. Unlike the service it takes no
 * folder lock, runs no migrations and leaves WAL checkpoints to the service.
 */
export async function openSqliteAlongside(folder: string): Promise<SqliteAlongside> {
  const file = join(folder, 'stakewright.db')
  inspectSqlite(file)
  const database = withSqliteFaults(
    () => new DatabaseSync(file, { timeout: TIMEOUT_MS, defensive: true, limits: { attach: 0 } }),
  )
  for (const setting of ['synchronous = full', 'trusted_schema = off', 'wal_autocheckpoint = 0'])
    database.exec(`pragma ${setting}`)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database) })
  await using opened = new AsyncDisposableStack()
  opened.defer(() => db.destroy())
  await refuseOlderTables(db, folder)
  const resources = opened.move()
  return { db, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function refuseOlderTables(db: Database, folder: string): Promise<void> {
  const applied = new Set(
    (await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name),
  )
  if (MIGRATIONS.every(({ name }) => applied.has(name))) return
  throw new Fault(
    'store_not_ready',
    `The database in ${folder} is of an earlier version. Start this version of the service once, then try again.`,
  )
}
