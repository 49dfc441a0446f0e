import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { registerAgent } from '../../server/test/support/registered-agent.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { runCli } from './run-cli.ts'

test('0: "backup" copies and verifies everything that the service needs, while it runs', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).metadata()
  await app.runJob('anchor-audit')
  await using folder = await tempFolder()
  const copy = join(folder.path, 'copy')
  const { code, stdout, stderr } = await runCli({ DATA_DIR: app.folder }, 'backup', '--to', copy)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /the audit log is intact: \d+ batches/)
  assert.deepEqual((await readdir(copy)).sort(), [
    'audit-anchor-sqlite.json',
    'audit-key',
    'intent-key',
    'jwt-secret',
    'key-pepper',
    'stakewright.db',
  ])
  assert.deepEqual(await readdir(folder.path), ['copy'])
})

test('2, 5: an existing target and an empty source folder are refused', async () => {
  await using app = await openTestApp()
  await using folder = await tempFolder()
  const { code, stderr } = await runCli({ DATA_DIR: app.folder }, 'backup', '--to', folder.path)
  assert.equal(code, 2)
  assert.match(stderr, /exists already/)
  const copy = join(folder.path, 'copy')
  assert.equal((await runCli({ DATA_DIR: folder.path }, 'backup', '--to', copy)).code, 5)
  assert.deepEqual(await readdir(folder.path), [])
})

test('2: a Postgres store and a line without --to are refused', async () => {
  const postgres = {
    DATABASE_URL: 'postgres://127.0.0.1/x',
    KEY_PEPPER: 'the pepper of these tests, which is long',
    JWT_SECRET: 'the token secret of these tests, which is long',
  }
  const { code, stderr } = await runCli(postgres, 'backup', '--to', 'x')
  assert.equal(code, 2)
  assert.match(stderr, /pg_dump/)
  assert.equal((await runCli({}, 'backup')).code, 2)
})
