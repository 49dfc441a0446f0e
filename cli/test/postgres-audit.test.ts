import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../../server/test/support/registered-agent.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { changeStore, STORE_VARIABLE, storeVariables } from '../../server/test/support/test-store.ts'
import { runCli } from './run-cli.ts'

process.env[STORE_VARIABLE] = 'postgres'

test('0, 1: on Postgres, an intact log is told so beside the running service, a changed one from where', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).metadata()
  await app.runJob('sign-audit')
  const env = { DATA_DIR: app.folder, ...(await storeVariables(app.folder)) }
  const intact = await runCli(env, 'audit', 'verify')
  assert.equal(intact.code, 0, intact.stderr)
  assert.match(intact.stdout, /^The audit log is intact: \d+ batches, 1 checkpoints/)

  await changeStore(app.folder, "update audit_batches set body = replace(body, 'metadata', 'usage')")
  const broken = await runCli(env, 'audit', 'verify')
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /from batch \d+ on/)
})
