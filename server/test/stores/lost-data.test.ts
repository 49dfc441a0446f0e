import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rename, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import { sendRaw } from '../support/raw-request.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

/** What happens to the data folder of an embedded service behind its back. */

const DATABASE = 'stakewright.db'
const NETWORK = 'GET /api/v1/staking/network'
const ready = async (app: TestApp) => (await sendRaw(app.url, 'GET /readyz')).status
const register = (app: TestApp) =>
  sendRaw(app.url, 'POST /api/v1/agents/self-register', {
    json: { email: 'ann@example.com', agentName: 'x' },
  })

test('503: nothing is acknowledged any more once the database is deleted or replaced, and /readyz says so', async () => {
  for (const lose of [
    (file: string) => unlink(file),
    async (file: string) => {
      await rename(file, `${file}.old`)
      await writeFile(file, '')
    },
  ]) {
    await using folder = await tempFolder()
    const causes: string[] = []
    const error: Logger['error'] = (_event, thrown) => void causes.push(String(thrown))
    await using app = await openTestApp({ folder: folder.path, logger: { ...silentLogger, error } })
    assert.equal((await register(app)).status, 201)
    assert.equal(await ready(app), 200)
    await lose(join(folder.path, DATABASE))
    app.clock.advance(1_000)
    const refused = await register(app)
    assert.equal(refused.status, 503)
    assert.match(refused.text, /store_not_ready/)
    assert.equal(await ready(app), 503)
    assert(causes.some((cause) => /was (deleted|replaced) while the service runs/.test(cause)))
  }
})

test('a database that is missing or empty beside the secrets of an earlier start stops the start', async () => {
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

test('a secret of an earlier start that is gone stops the start, or is made anew and told', async () => {
  await using folder = await tempFolder()
  const told: unknown[] = []
  const warn: Logger['warn'] = (event, fields) =>
    void (/secret was missing/.test(event) && told.push(fields?.['path']))
  const start = () => openTestApp({ folder: folder.path, logger: { ...silentLogger, warn } })
  await (await start()).stop()
  assert.deepEqual(told, [])
  for (const name of ['key-pepper', 'audit-key']) {
    const file = join(folder.path, name)
    await rename(file, `${file}.away`)
    await assert.rejects(start(), new RegExp(`${name} is missing.*Put it back`))
    assert.equal(existsSync(file), false, 'no other stands in its place')
    await rename(`${file}.away`, file)
  }
  for (const name of ['jwt-secret', 'intent-key']) {
    await unlink(join(folder.path, name))
    await (await start()).stop()
    assert.deepEqual(told.splice(0), [join(folder.path, name)])
  }
  await (await start()).stop()
  assert.deepEqual(told, [])
})

test('a data folder or a secret that others may open is told at the start', async () => {
  await using folder = await tempFolder()
  const data = join(folder.path, 'data')
  await mkdir(data)
  await chmod(data, 0o755)
  const warned: unknown[] = []
  const warn: Logger['warn'] = (event, fields) =>
    void (/others may open/.test(event) && warned.push(fields?.['path']))
  const first = await openTestApp({ folder: data, logger: { ...silentLogger, warn } })
  await first.stop()
  assert.deepEqual(warned.splice(0), [data])
  await chmod(data, 0o700)
  await chmod(join(data, 'key-pepper'), 0o644)
  const second = await openTestApp({ folder: data, logger: { ...silentLogger, warn } })
  await second.stop()
  assert.deepEqual(warned, [join(data, 'key-pepper')])
})

test('503: /readyz tells when requests cannot be recorded though a small write still passes', async () => {
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

test('503: /readyz tells when the store takes no writes, and when it does again', async () => {
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
