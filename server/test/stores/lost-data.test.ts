import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rename, stat, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { backUpSqlite } from '#adapters/sql/sqlite/backup.ts'
import type { Logger } from '#ports/logger.ts'
import { admitAgent } from '../support/admitted-agent.ts'
import { sendRaw } from '../support/raw-request.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

/** Damage to the data folder of a running embedded service. */

const DATABASE = 'stakewright.db'
const LOG = `${DATABASE}-wal`
const NETWORK = 'GET /api/v1/staking/network'
const ready = async (app: TestApp) => (await sendRaw(app.url, 'GET /readyz')).status
const register = (app: TestApp) =>
  sendRaw(app.url, 'POST /api/v1/agents/self-register', {
    json: { email: 'ann@example.com', agentName: 'x' },
  })

const LOSSES: readonly (readonly [how: string, lose: (file: string) => Promise<void>])[] = [
  ['deleted', (file) => unlink(file)],
  ['replaced', (file) => rename(file, `${file}.old`).then(() => writeFile(file, ''))],
  ['shortened', (file) => truncate(file, 0)],
  ['shortened', async (file) => truncate(file, (await stat(file)).size / 2)],
]

async function assertNoticed(part: string, how: string, lose: (file: string) => Promise<void>) {
  await using folder = await tempFolder()
  const causes: string[] = []
  const error: Logger['error'] = (_event, thrown) => void causes.push(String(thrown))
  await using app = await openTestApp({ folder: folder.path, logger: { ...silentLogger, error } })
  assert.equal((await register(app)).status, 201)
  assert.equal(await ready(app), 200)
  await lose(join(folder.path, part))
  app.clock.advance(1_000)
  const refused = await register(app)
  assert.equal(refused.status, 503)
  assert.match(refused.text, /store_not_ready/)
  assert.equal((await sendRaw(app.url, NETWORK)).status, 503)
  assert.equal(await ready(app), 503)
  assert(causes.some((cause) => cause.includes(`${part} was ${how} while the service runs`)))
}

test('503: once a file of the database is deleted, replaced or shortened, no request is acknowledged, and /readyz is 503', async () => {
  for (const [how, lose] of LOSSES) {
    for (const part of [DATABASE, LOG]) await assertNoticed(part, how, lose)
    // Not shortened: the file is mapped into memory, and reading a page that is gone ends the process (SIGBUS).
    if (how !== 'shortened') await assertNoticed(`${DATABASE}-shm`, how, lose)
  }
})

test('503: a write-ahead log that was emptied during a commit is detected before the next commit', async () => {
  await using app = await openTestApp()
  assert.equal((await register(app)).status, 201)
  const log = join(app.folder, LOG)
  const { size } = await stat(log)
  await truncate(log, 0)
  await truncate(log, size + 4_120)
  assert.equal((await register(app)).status, 503)
  assert.equal(await ready(app), 503)
})

test('commits acknowledged before the write-ahead log was deleted are kept by a normal stop', async () => {
  await using folder = await tempFolder()
  const first = await openTestApp({ folder: folder.path })
  const { apiKey } = await admitAgent(first)
  await unlink(join(folder.path, LOG))
  await first.stop()
  await using second = await openTestApp({ folder: folder.path })
  const client = second.client({ apiKey })
  await client.usage()
  assert.equal(client.last?.status, 200)
})

test('checkpoints, vacuum, backups and other writers are not taken for a loss of the database', async () => {
  await using app = await openTestApp()
  const file = join(app.folder, DATABASE)
  const assertServing = async () => {
    app.clock.advance(1_000)
    assert.equal((await sendRaw(app.url, NETWORK)).status, 200)
    assert.equal(await ready(app), 200)
  }
  const other = new DatabaseSync(file)
  const fill = 'insert into spare values (hex(randomblob(500000)))'
  other.exec('create table spare (text text)')
  await assertServing()
  for (const work of [
    fill,
    'pragma wal_checkpoint(passive)',
    'pragma wal_checkpoint(restart)',
    'pragma wal_checkpoint(truncate)',
    fill,
    'pragma wal_checkpoint(truncate); create table more (text text)',
    'drop table spare; drop table more; vacuum',
    'pragma wal_checkpoint(truncate)',
  ]) {
    other.exec(work)
    await assertServing()
  }
  other.close()
  await assertServing()
  await backUpSqlite(app.folder, join(app.folder, 'backup'), [], 'audit-anchor')
  await assertServing()
})

test('a start fails if the database is missing or empty beside the secrets of an earlier start', async () => {
  for (const lose of [(file: string) => unlink(file), (file: string) => truncate(file, 0)]) {
    await using folder = await tempFolder()
    const first = await openTestApp({ folder: folder.path })
    await first.stop()
    await lose(join(folder.path, DATABASE))
    await assert.rejects(openTestApp({ folder: folder.path }), /missing or empty.*Restore the database/)
    await unlink(join(folder.path, 'key-pepper'))
    await unlink(join(folder.path, 'audit-key'))
    await using anew = await openTestApp({ folder: folder.path })
    assert.equal(await ready(anew), 200)
  }
})

test('a missing secret of an earlier start stops the start, or is replaced with a warning if it can be', async () => {
  await using folder = await tempFolder()
  const warned: unknown[] = []
  const warn: Logger['warn'] = (event, fields) =>
    void (/secret file is missing/.test(event) && warned.push(fields?.['path']))
  const start = () => openTestApp({ folder: folder.path, logger: { ...silentLogger, warn } })
  await (await start()).stop()
  assert.deepEqual(warned, [])
  for (const name of ['key-pepper', 'audit-key']) {
    const file = join(folder.path, name)
    await rename(file, `${file}.away`)
    await assert.rejects(start(), new RegExp(`${name} is missing.*Put it back`))
    assert.equal(existsSync(file), false, 'no new secret was written')
    await rename(`${file}.away`, file)
  }
  for (const name of ['jwt-secret', 'intent-key']) {
    await unlink(join(folder.path, name))
    await (await start()).stop()
    assert.deepEqual(warned.splice(0), [join(folder.path, name)])
  }
  await (await start()).stop()
  assert.deepEqual(warned, [])
})

test('a start warns of a data folder or a secret that other users may open', async () => {
  await using folder = await tempFolder()
  const data = join(folder.path, 'data')
  await mkdir(data)
  await chmod(data, 0o755)
  const warned: unknown[] = []
  const warn: Logger['warn'] = (event, fields) =>
    void (/other users can access/.test(event) && warned.push(fields?.['path']))
  const first = await openTestApp({ folder: data, logger: { ...silentLogger, warn } })
  await first.stop()
  assert.deepEqual(warned.splice(0), [data])
  await chmod(data, 0o700)
  await chmod(join(data, 'key-pepper'), 0o644)
  const second = await openTestApp({ folder: data, logger: { ...silentLogger, warn } })
  await second.stop()
  assert.deepEqual(warned, [join(data, 'key-pepper')])
})

test('503: /readyz fails while requests cannot be recorded, even if a small write still succeeds', async () => {
  await using app = await openTestApp()
  assert.equal((await sendRaw(app.url, NETWORK)).status, 200)
  const other = new DatabaseSync(join(app.folder, DATABASE))
  const full = "begin select raise(abort, 'database or disk is full'); end"
  other.exec(`create trigger full before insert on audit_batches ${full}`)
  assert.equal((await sendRaw(app.url, NETWORK)).status, 503)
  assert.equal(await ready(app), 503)
  other.exec('drop trigger full')
  other.close()
  assert.equal((await sendRaw(app.url, NETWORK)).status, 200)
  assert.equal(await ready(app), 200)
})

test('503: /readyz fails while the store takes no writes, and is 200 once it does', async () => {
  await using app = await openTestApp()
  assert.equal(await ready(app), 200)
  const blocker = new DatabaseSync(join(app.folder, DATABASE))
  blocker.exec('begin immediate')
  app.clock.advance(1_000)
  assert.equal(await ready(app), 503)
  blocker.exec('rollback')
  blocker.close()
  app.clock.advance(1_000)
  assert.equal(await ready(app), 200)
})
