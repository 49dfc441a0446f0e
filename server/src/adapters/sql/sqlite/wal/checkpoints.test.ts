import assert from 'node:assert/strict'
import { closeSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { tempFolder } from '../../../../../test/support/temp-folder.ts'
import { sqlSandboxStates } from '../../stores/sandbox-states.ts'
import { openSqlite } from '../open.ts'
import { checkpointInThread } from './checkpoints.ts'

test('written data reaches the database file while the store is open', {
  timeout: 20_000,
}, async (t) => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const text = 'x'.repeat(5_000_000)
  await sqlSandboxStates(store.db).replace(0, text)
  const file = join(folder.path, 'stakewright.db')
  while (statSync(file).size < text.length && !t.signal.aborted) await setImmediate()
})

test('closing the store removes the write-ahead log', async () => {
  await using folder = await tempFolder()
  {
    await using store = await openSqlite(folder.path)
    await sqlSandboxStates(store.db).replace(0, 'x')
  }
  assert.throws(() => statSync(join(folder.path, 'stakewright.db-wal')), { code: 'ENOENT' })
})

test('the checkpoint thread starts once, when the write-ahead log has become long', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await using folder = await tempFolder()
  let threads = 0
  const count = () => {
    threads += 1
  }
  process.on('worker', count)
  t.after(() => process.off('worker', count))
  await using store = await openSqlite(folder.path)
  const isLong = () => statSync(join(folder.path, 'stakewright.db-wal')).size > 4_096_000
  for (const version of Array(8).keys()) {
    await sqlSandboxStates(store.db).replace(version, String(version).repeat(700_000))
    const started = isLong() ? 1 : threads
    t.mock.timers.tick(1_000)
    await setImmediate()
    assert.equal(threads, started, `after ${version + 1} writes`)
    if (version === 0) assert.equal(threads, 0)
  }
  assert.equal(threads, 1)
})

test('a checkpoint thread that fails reports it, and can still be closed', async () => {
  await using folder = await tempFolder()
  const lost = Promise.withResolvers<void>()
  const file = join(folder.path, 'no.db')
  mkdirSync(file)
  writeFileSync(`${file}-wal`, Buffer.alloc(5_000_000))
  await using _thread = checkpointInThread({ file, onLost: lost.resolve, hold: async () => () => {} })
  await lost.promise
})

/** The WAL header's checkpoint sequence number: how often the WAL was restarted. */
function restartsOf(log: string): number {
  const header = Buffer.alloc(4)
  const handle = openSync(log, 'r')
  readSync(handle, header, 0, 4, 12)
  closeSync(handle)
  return header.readUInt32BE()
}

test('under continuous writes the write-ahead log is restarted, and no writer meets a lock', {
  timeout: 60_000,
}, async (t) => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path, { synchronous: 'normal' })
  const log = join(folder.path, 'stakewright.db-wal')
  await store.exclusive((database) => database.exec('create table pages (id integer primary key, body text)'))
  const before = restartsOf(log)
  for (let writes = 1; restartsOf(log) < before + 3 && !t.signal.aborted; writes += 1) {
    await store.exclusive((database) =>
      database.exec('begin immediate; insert into pages (body) values (hex(zeroblob(20000))); commit'),
    )
    if (writes % 10 === 0) await setImmediate()
  }
})

test('a long reader makes no writer pause; the write-ahead log is restarted after the reader ends', {
  timeout: 120_000,
}, async (t) => {
  await using folder = await tempFolder()
  const file = join(folder.path, 'pages.db')
  using writer = new DatabaseSync(file)
  writer.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma synchronous = off')
  writer.exec('create table pages (id integer primary key, body text)')
  let holds = 0
  let isHeld = false
  const hold = async () => {
    holds += 1
    isHeld = true
    return () => {
      isHeld = false
    }
  }
  await using _thread = checkpointInThread({ file, onLost: assert.fail, hold })
  const write = async () => {
    while (isHeld) await setImmediate()
    writer.exec('begin immediate; insert into pages (body) values (hex(zeroblob(200000))); commit')
    await setImmediate()
  }
  {
    using reader = new DatabaseSync(file, { readOnly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from pages').get()
    const log = `${file}-wal`
    while (statSync(log).size < LONG_LOG_BYTES) await write()
    const since = performance.now()
    const before = holds
    // Several rounds of the thread.
    while (performance.now() - since < 1_500) await write()
    assert.equal(holds, before)
    reader.exec('commit')
  }
  const restarts = restartsOf(`${file}-wal`)
  while (restartsOf(`${file}-wal`) === restarts && !t.signal.aborted) await write()
  assert(holds > 0)
})

/** More than the WAL's limit before a restart, by more than the checkpoint may lag. */
const LONG_LOG_BYTES = 4_096 * 4_096 * 2
