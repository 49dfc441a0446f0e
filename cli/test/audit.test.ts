import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registerAgent } from '../../server/test/registered-agent.ts'
import { tempFolder } from '../../server/test/temp-folder.ts'
import { openTestApp } from '../../server/test/test-app.ts'
import { runCli } from './run-cli.ts'

test('0, 1: an intact log is told so beside the running service, a changed one is told from where', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).metadata()
  const env = { DATA_DIR: app.folder }
  const intact = await runCli(env, 'audit', 'verify')
  assert.equal(intact.code, 0, intact.stderr)
  assert.match(intact.stdout, /^The audit log is intact: \d+ batches/)
  assert.equal(JSON.parse((await runCli(env, 'audit', 'verify', '--json')).stdout).data.kind, 'intact')

  await app.stop()
  const database = new DatabaseSync(join(app.folder, 'stakewright.db'))
  database.exec("update audit_batches set body = replace(body, 'metadata', 'usage')")
  database.close()
  const broken = await runCli(env, 'audit', 'verify')
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /from batch \d+ on/)
})

test('5, 2: a folder without a log, and a command that is none', async () => {
  await using folder = await tempFolder()
  const env = { DATA_DIR: folder.path }
  assert.equal((await runCli(env, 'audit', 'verify')).code, 5)
  assert.equal((await runCli(env, 'audit')).code, 2)
  assert.equal((await runCli(env, 'audit', 'verify', '--all')).code, 2)
})
