import assert from 'node:assert/strict'
import { statSync, truncateSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlSandboxStates } from '#adapters/sql/stores/sandbox-states.ts'
import type { Fault } from '../../src/fault.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Damage to the database files in the middle of a transaction. */

const DATABASE = 'stakewright.db'
const LOG = `${DATABASE}-wal`
const FILL = 'insert into spare values (hex(randomblob(100000)))'
const FILL_MUCH = 'insert into spare values (hex(randomblob(3000000)))'
const LOGS: Readonly<Record<string, readonly string[]>> = {
  'a short log': [FILL],
  'a long log': [FILL_MUCH],
  'a log that is written over': [FILL_MUCH, 'pragma wal_checkpoint(restart)', FILL],
}

test('503: a commit during which the write-ahead log is truncated is not acknowledged', async () => {
  for (const [name, statements] of Object.entries(LOGS)) {
    for (const left of [0, 40_000]) {
      await using folder = await tempFolder()
      await using store = await openSqlite(folder.path)
      const cut = () => {
        truncateSync(join(folder.path, LOG), left)
        return null
      }
      await store.exclusive((database) => {
        database.function('cut_log', cut)
        database.exec('create table spare (text text)')
      })
      for (const statement of statements) await store.exclusive((database) => database.exec(statement))
      const isLost = ({ code, cause }: Fault) =>
        code === 'store_not_ready' && /stakewright.db-wal was shortened while/.test(String(cause))
      const write = 'insert into spare values (cut_log())'
      if (left === 0) await assert.rejects(sql.raw(write).execute(store.db), isLost, name)
      else
        await assert.rejects(
          store.exclusive((database) => database.exec(write)),
          isLost,
          name,
        )
      await assert.rejects(
        store.exclusive(() => assert.fail()),
        isLost,
        'no further work is started',
      )
    }
  }
})

test('overwriting the log frames of a rolled-back transaction is not taken for a loss', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const logBytes = () => statSync(join(folder.path, LOG)).size
  await store.exclusive((database) => database.exec('create table spare (text text)'))
  // More than SQLite's page cache holds, so SQLite writes frames to the log before the transaction ends.
  const fail = (database: DatabaseSync) => {
    database.exec('begin immediate')
    for (let row = 0; row < 40; row += 1) database.exec(FILL)
    throw new Error('the work failed')
  }
  const before = logBytes()
  await assert.rejects(store.exclusive(fail), /the work failed/)
  const rolledBack = logBytes()
  assert.ok(rolledBack > before, 'frames were written')
  while (logBytes() <= rolledBack + 500_000) await store.exclusive((database) => database.exec(FILL))
})

test('503: a transaction during which the database is deleted is not committed', async () => {
  await using folder = await tempFolder()
  const causes: string[] = []
  await using store = await openSqlite(folder.path)
  const write = store.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('reservations').execute()
    await unlink(join(folder.path, DATABASE))
    // Reads and writes after the deletion succeed, but the commit must not.
    await transaction.selectFrom('reservations').selectAll().execute()
  })
  await write.catch((error: Fault) => causes.push(error.code, String(error.cause)))
  assert.deepEqual(
    [causes[0], /was deleted while the service runs/.test(causes[1] ?? '')],
    ['store_not_ready', true],
  )
})

test('503: a transaction during which the write-ahead log is deleted is refused, and absent after a normal stop', async () => {
  await using folder = await tempFolder()
  {
    await using store = await openSqlite(folder.path)
    const write = store.db.transaction().execute(async (transaction) => {
      await sqlSandboxStates(transaction).replace(0, 'refused')
      await unlink(join(folder.path, LOG))
    })
    await assert.rejects(write, { code: 'store_not_ready' })
  }
  await using store = await openSqlite(folder.path)
  assert.equal(await sqlSandboxStates(store.db).load(), undefined)
})
