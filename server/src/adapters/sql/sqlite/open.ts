import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import type { SqlStore } from '../engine.ts'
import { refuseDroppedInserts } from '../kept-inserts.ts'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { commitDurability, type Durability } from './commit-durability.ts'
import { foldLeftovers } from './counters/fold-leftovers.ts'
import { sqliteDialect } from './dialect.ts'
import { BUSY_TIMEOUT_MS, withSqliteFaults } from './errors.ts'
import { lockFolder } from './folder-lock.ts'
import { inspectSqlite } from './inspection.ts'
import { type DatabaseWatch, refuseLostDatabase, watchDatabase } from './lost-database.ts'
import { createPrivateFile, createPrivateFolder } from './private-files.ts'
import { readBackSettings } from './settings.ts'
import { checkpointInThread } from './wal/checkpoints.ts'

type SqliteOptions = {
  /**
   * full: a usual commit is on disk when it returns and survives a power cut. normal: it survives the end of
   * the process, but a power cut may undo the last commits, and a revoked key would be valid again.
   */
  readonly synchronous?: 'full' | 'normal'
}

export type SqliteStore = SqlStore & {
  readonly kind: 'sqlite'
  /**
   * Runs `work` as soon as no other transaction is open, synchronously if none is. A transaction that `work`
   * leaves open is rolled back.
   */
  exclusive<T>(work: (database: DatabaseSync) => T, durability?: Durability): Promise<T>
}

const SQLITE_OWN_CHECKPOINT_PAGES = 1_000

/** Opens the SQLite store in `folder`, creating what is missing, and locks the folder for this process. */
export async function openSqlite(folder: string, options: SqliteOptions = {}): Promise<SqliteStore> {
  await using opened = new AsyncDisposableStack()
  const file = join(folder, 'stakewright.db')
  createPrivateFolder(folder)
  opened.use(lockFolder(folder))
  refuseLostDatabase(folder, file)
  createPrivateFile(file)
  inspectSqlite(file)
  const database = withSqliteFaults(() => openDatabase(file, options.synchronous ?? 'full'))
  // Closed after the database.
  const watches = opened.use(new DisposableStack())
  opened.defer(() => {
    if (database.isOpen) database.close()
  })
  const risks = withSqliteFaults(() => readBackSettings(database))
  const setDurability = commitDurability(database)
  const watch = watches.use(watchDatabase(file))
  const dialect = sqliteDialect(database, {
    before(sql) {
      // Within a transaction only the commit acknowledges anything: after a loss it is refused.
      if (sql === 'commit') watch.assertInPlace()
      else if (sql !== 'rollback') watch.assertNotLost()
      setDurability('usual')
    },
    after(sql) {
      if (!database.isTransaction && sql !== 'rollback') watch.assertInPlace()
    },
  })
  const db = new Kysely<Schema>({ dialect, plugins: [refuseDroppedInserts()] })
  opened.defer(() => db.destroy())
  await migrate(db)
  withSqliteFaults(() => foldLeftovers(database))
  const connection = shareConnection(db, database, setDurability, watch)
  opened.use(moveCheckpoints(database, file, connection.hold))

  const resources = opened.move()
  return {
    kind: 'sqlite',
    db,
    risks,
    exclusive: connection.exclusive,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function openDatabase(file: string, synchronous: 'full' | 'normal'): DatabaseSync {
  // No statement may attach another file, whatever text it was built from.
  const limits = { attach: 0 }
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, defensive: true, limits })
  database.exec('pragma journal_mode = wal')
  database.exec(`pragma synchronous = ${synchronous}`)
  database.exec('pragma trusted_schema = off')
  // SQLite creates the files of the write-ahead log at the first read.
  database.exec('select 1 from sqlite_schema')
  return database
}

function moveCheckpoints(
  database: DatabaseSync,
  file: string,
  hold: SharedConnection['hold'],
): AsyncDisposable {
  database.exec('pragma wal_autocheckpoint = 0')
  const onLost = () => {
    if (database.isOpen) database.exec(`pragma wal_autocheckpoint = ${SQLITE_OWN_CHECKPOINT_PAGES}`)
  }
  return checkpointInThread({ file, onLost, hold })
}

type SharedConnection = Pick<SqliteStore, 'exclusive'> & {
  /** Waits until no transaction is open, then blocks all until the returned function is called. */
  hold(): Promise<() => void>
}

/** Kysely lends its single connection to one user at a time: work that cannot start at once queues there. */
function shareConnection(
  db: Kysely<Schema>,
  database: DatabaseSync,
  setDurability: (durability: Durability) => void,
  watch: Pick<DatabaseWatch, 'assertInPlace' | 'assertNotLost'>,
): SharedConnection {
  let isHeld = false
  const workAlone = <T>(work: (database: DatabaseSync) => T, durability: Durability): T => {
    watch.assertNotLost()
    setDurability(durability)
    try {
      const result = withSqliteFaults(() => work(database))
      // Checked after the commit and before any answer, so that a loss during the commit is found too.
      watch.assertInPlace()
      return result
    } finally {
      if (database.isTransaction) database.exec('rollback')
    }
  }
  return {
    async exclusive(work, durability = 'usual') {
      if (!database.isTransaction && !isHeld) return workAlone(work, durability)
      return db.connection().execute(async () => workAlone(work, durability))
    },
    hold: () =>
      new Promise((resolve, reject) => {
        const held = db.connection().execute(async () => {
          isHeld = true
          await new Promise<void>((release) => resolve(release))
          isHeld = false
        })
        held.catch(reject)
      }),
  }
}
