import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../../server/test/support/registered-agent.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { testClock } from '../../server/test/support/test-clock.ts'
import { changeStore, STORE_VARIABLE, storeVariables } from '../../server/test/support/test-store.ts'
import { runCli } from './run-cli.ts'

process.env[STORE_VARIABLE] = 'postgres'

test('0, 1: on Postgres, "audit verify" confirms an intact log, and names the first changed batch', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).metadata()
  await app.runJob('sign-audit')
  const env = { DATA_DIR: app.folder, ...(await storeVariables(app.folder)) }
  const intact = await runCli(env, 'audit', 'verify')
  assert.equal(intact.code, 0, intact.stderr)
  assert.match(intact.stdout, /^The audit log is intact: \d+ batches, 1 checkpoint,/)

  await changeStore(app.folder, "update audit_batches set body = replace(body, 'metadata', 'usage')")
  const broken = await runCli(env, 'audit', 'verify')
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /from batch \d+ on/)
})

/** What this version's migrations have added since the version before. */
const ADDED_SINCE = [
  'drop table agent_batches',
  'alter table agents drop column mailbox',
  "delete from migrations where name in ('0010-agent-batches', '0011-mailboxes')",
]

test('0, 1: "audit verify" checks what a store of the version before has, e.g. one that was just restored', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).metadata()
  await app.runJob('sign-audit')
  const env = { DATA_DIR: app.folder, ...(await storeVariables(app.folder)) }
  await app.stop()
  for (const change of ADDED_SINCE) await changeStore(app.folder, change)
  const intact = await runCli(env, 'audit', 'verify')
  assert.equal(intact.code, 0, intact.stderr)
  assert.match(intact.stdout, /^The audit log is intact: \d+ batches, 1 checkpoint,/)
  await changeStore(app.folder, "update audit_batches set body = replace(body, 'metadata', 'usage')")
  assert.match((await runCli(env, 'audit', 'verify')).stderr, /from batch \d+ on/)
})

test('1: on Postgres, a store whose index of agents was dropped by hand does not verify', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).metadata()
  const env = { DATA_DIR: app.folder, ...(await storeVariables(app.folder)) }
  await app.stop()
  await changeStore(app.folder, 'drop table agent_batches')
  const { code, stderr } = await runCli(env, 'audit', 'verify')
  assert.equal(code, 1)
  assert.match(stderr, /the table agent_batches is missing/)
})

test('0: on Postgres, "admin token" works beside the running service; its session is listed and can be ended', async () => {
  await using app = await openTestApp({ clock: testClock(Date.now()) })
  const variables = { DATA_DIR: app.folder, ...(await storeVariables(app.folder)) }
  const { code, stdout, stderr } = await runCli(variables, 'admin', 'token', '--json')
  assert.equal(code, 0, stderr)
  const { accessToken, sessionId } = JSON.parse(stdout).data
  app.clock.set(Date.now())
  const operator = app.client({ token: accessToken })
  const [issued] = (await operator.listActions({ action: 'issue-token' })).data
  assert.deepEqual([issued?.actor.kind, issued?.session], ['operator', sessionId])
  const sessions = (await operator.listSessions()).data
  assert.deepEqual(
    sessions.map(({ id, issuedBy }) => [id, issuedBy]),
    [[sessionId, 'operator']],
  )
  await operator.endSession({ id: sessionId })
  await assert.rejects(operator.listSessions(), { code: 'unauthorized' })
})
