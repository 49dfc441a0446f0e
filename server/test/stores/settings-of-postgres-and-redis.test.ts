import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openRedis } from '#adapters/redis/open-redis.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { readBackSettings } from '#adapters/sql/sqlite/settings.ts'
import { ask, startPostgres, testDatabase } from '../support/services/postgres-server.ts'
import { sendToRedis, startRedis } from '../support/services/redis-server.ts'
import { openWithLongTimeouts } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The risks that a store reports after opening, without their explanations. */
async function risksOf(opening: Promise<AsyncDisposable & { readonly risks: readonly string[] }>) {
  await using store = await opening
  return store.risks.map((risk) => risk.replace(/:.*/, ''))
}

test('Postgres: settings with which a crash loses or damages data are reported as risks', async () => {
  await using server = await startPostgres({ fsync: 'on' })
  await using database = await testDatabase({ server })
  assert.deepEqual(await risksOf(openWithLongTimeouts(database.url)), [])
  const name = new URL(database.url).pathname.slice(1)
  await ask(
    server.url,
    'alter system set full_page_writes = off',
    'select pg_reload_conf()',
    `alter database ${name} set synchronous_commit = off`,
    `alter database ${name} set default_transaction_isolation = 'serializable'`,
  )
  assert.deepEqual(await risksOf(openWithLongTimeouts(database.url)), [
    'Postgres has full_page_writes = off',
    'Postgres has synchronous_commit = off',
  ])
  await using quick = await testDatabase()
  assert.deepEqual(await risksOf(openWithLongTimeouts(quick.url)), ['Postgres has fsync = off'])
})

test('SQLite: `synchronous` below full and a journal mode other than WAL are reported as risks', async () => {
  await using folder = await tempFolder()
  assert.deepEqual(await risksOf(openSqlite(folder.path)), [])
  assert.deepEqual(await risksOf(openSqlite(folder.path, { synchronous: 'normal' })), [
    'SQLite has synchronous = normal',
  ])
  // As on a file system without shared memory: the pragma succeeds but changes nothing.
  const place = pathToFileURL(join(folder.path, 'other.db'))
  using database = new DatabaseSync(new URL('?vfs=unix-dotfile', place))
  database.exec('pragma journal_mode = wal')
  assert.match(readBackSettings(database).join(), /^SQLite has journal_mode = delete: /)
})

test('Redis: settings with which a crash or full memory loses counts are reported as risks', async () => {
  await using server = await startRedis()
  const risks = () => risksOf(openRedis([server.url], silentLogger))
  await sendToRedis(server.url, 'config', 'set', 'maxmemory-policy', 'allkeys-lru')
  // Without a memory limit nothing is evicted.
  assert.deepEqual(await risks(), [])
  await sendToRedis(server.url, 'config', 'set', 'maxmemory', '100mb')
  await sendToRedis(server.url, 'config', 'set', 'appendonly', 'no')
  assert.deepEqual(await risks(), ['Redis has appendonly off', 'Redis has maxmemory-policy allkeys-lru'])
})
