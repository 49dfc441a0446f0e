import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { userToken } from '../../server/test/support/admitted-agent.ts'
import { registerAgent, signIn } from '../../server/test/support/registered-agent.ts'
import { silentLogger } from '../../server/test/support/silent-logger.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { runCli } from './run-cli.ts'
import { type } from './typed-line.ts'

test('0, 1: "audit verify" confirms an intact log beside the running service, and names the first changed batch', async () => {
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
  await using folder = await tempFolder()
  for (const line of [
    ['audit', 'verify'],
    ['backup', '--to', join(folder.path, 'copy')],
  ]) {
    const { ok, error, data } = JSON.parse((await runCli(env, ...line, '--json')).stdout)
    assert.deepEqual([ok, error.code, data.kind], [false, 'check_failed', 'broken'], line.join(' '))
  }
})

test('1: "verify-audit" fails if the running service finds its log changed', async () => {
  await using app = await openTestApp({ env: { ADMIN_TOTP: 'optional' } })
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).metadata()
  const env = {
    STAKEWRIGHT_URL: app.url,
    STAKEWRIGHT_TOKEN: await userToken(app, 'root@example.com', 'admin'),
  }
  assert.equal((await type('verify-audit', { env })).json().ok, true)
  const database = new DatabaseSync(join(app.folder, 'stakewright.db'))
  database.exec("update audit_batches set body = replace(body, 'metadata', 'usage')")
  database.close()
  const broken = await type('verify-audit', { env })
  assert.equal(broken.code, 1)
  assert.equal(broken.json().data.data.isIntact, false)
  assert.match(
    broken.json().error.message,
    /^The audit log was changed after it was written, from batch \d+ on: /,
  )
})

test('1: a changed, removed or swapped management action is reported', async () => {
  for (const [statement, reason] of [
    ["update agent_actions set actor_id = 'somebody else' where no = 2", /management action 2 was changed/],
    ['update agent_actions set at = at + 1 where no = 1', /management action 1 was changed/],
    ['delete from agent_actions where no = 2', /management action 3 does not follow/],
    ['delete from agent_actions where no = 1', /management action 2 does not follow/],
    [
      'update agent_actions set no = -no where no in (2, 3); update agent_actions set no = 5 + no where no < 0',
      /management action 2 does not follow/,
    ],
  ] as const) {
    await using app = await openTestApp()
    const agent = await registerAgent(app)
    const user = app.client({ token: await signIn(app, 'ann@example.com') })
    for (let count = 0; count < 3; count += 1) await user.rotateKey({ id: agent.id })
    const env = { DATA_DIR: app.folder }
    assert.equal((await runCli(env, 'audit', 'verify')).code, 0)
    await app.stop()
    const database = new DatabaseSync(join(app.folder, 'stakewright.db'))
    database.exec(statement)
    database.close()
    const broken = await runCli(env, 'audit', 'verify')
    assert.equal(broken.code, 1)
    assert.match(broken.stderr, reason)
  }
})

test('1: a changed row of another table, or a missing anchor, is not reported as a change of the log', async () => {
  for (const [statement, reason] of [
    ["update agents set tier = 'enterprise'", /the row of agt_\w+ is not as this service has written it/],
    [undefined, /the log was anchored, and its anchor .+ is missing/],
  ] as const) {
    await using app = await openTestApp()
    await registerAgent(app)
    await app.runJob('sign-audit')
    await app.runJob('anchor-audit')
    const env = { DATA_DIR: app.folder }
    const intact = await runCli(env, 'audit', 'verify')
    assert.match(intact.stdout, /^The audit log is intact: \d+ batch(es)?, 1 checkpoint,/)
    await app.stop()
    if (statement === undefined) await rm(join(app.folder, 'audit-anchor-sqlite.json'))
    else {
      const database = new DatabaseSync(join(app.folder, 'stakewright.db'))
      database.exec(statement)
      database.close()
    }
    const { code, stderr } = await runCli(env, 'audit', 'verify')
    assert.equal(code, 1)
    assert.match(stderr, /^The store does not pass the verification of its audit log: /)
    assert.match(stderr, reason)
    assert.doesNotMatch(stderr, /batch|was changed/)
  }
})

test('0: if no anchor was compared, the first line says so', async () => {
  await using app = await openTestApp()
  await registerAgent(app)
  await app.stop()
  using database = new DatabaseSync(join(app.folder, 'stakewright.db'))
  database.exec("delete from audit_marks where name = 'anchored'")
  await rm(join(app.folder, 'audit-anchor-sqlite.json'), { force: true })
  const { code, stdout } = await runCli({ DATA_DIR: app.folder }, 'audit', 'verify')
  assert.equal(code, 0)
  assert.match(stdout, /^The audit log is intact: .*; no anchor was compared, so .* are not noticed\.$/m)
})

test('5, 2: a folder without a log, and a wrong command line', async () => {
  await using folder = await tempFolder()
  const env = { DATA_DIR: folder.path }
  assert.equal((await runCli(env, 'audit', 'verify')).code, 5)
  assert.equal((await runCli(env, 'audit')).code, 2)
  assert.equal((await runCli(env, 'audit', 'verify', '--all')).code, 2)
})

test('1: with --since and a checkpoint that was kept elsewhere, removed management actions are reported', async () => {
  let line = {}
  const info = (event: string, fields = {}) => {
    if (event === 'audit checkpoint') line = fields
  }
  await using app = await openTestApp({ logger: { ...silentLogger, info } })
  const agent = await registerAgent(app)
  await app.client({ apiKey: agent.apiKey }).metadata()
  await app.runJob('sign-audit')
  await app.stop()
  await using kept = await tempFolder()
  const file = join(kept.path, 'checkpoint.json')
  const verify = async (checkpoint: object, before = '') => {
    await writeFile(file, `${before}${JSON.stringify(checkpoint)}\n`)
    return runCli({ DATA_DIR: app.folder }, 'audit', 'verify', '--since', file)
  }
  const intact = await verify(line)
  assert.equal(intact.code, 0, intact.stderr)
  for (const before of [
    'Nov 18 10:00:00 host stakewright[1]: ',
    'stakewright-1  | ',
    '{app="stakewright"} ',
  ]) {
    const prefixed = await verify(line, before)
    assert.equal(prefixed.code, 0, prefixed.stderr)
  }
  const empty = await verify({}, '}{ no checkpoint ')
  assert.match(empty.stderr, /no checkpoint that this service has signed/)
  const forged = await verify({ ...line, actionNo: 1 })
  assert.match(forged.stderr, /no checkpoint that this service has signed/)
  assert.deepEqual([empty.code, forged.code], [2, 2])
  const database = new DatabaseSync(join(app.folder, 'stakewright.db'))
  database.exec('delete from agent_actions')
  database.close()
  await rm(join(app.folder, 'audit-anchor-sqlite.json'), { force: true })
  const broken = await verify(line)
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /management action 2 was anchored and is missing/)
})
