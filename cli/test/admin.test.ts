import assert from 'node:assert/strict'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../server/test/support/registered-agent.ts'
import { appCode } from '../../server/test/support/services/authenticator.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import type { TestClock } from '../../server/test/support/test-clock.ts'
import { runCli } from './run-cli.ts'
import { runHere } from './typed-line.ts'

const ANN = 'ann@example.com'

/** A clock of the real time, which the command line uses as well; a test can move it ahead. */
function presentClock(): TestClock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    set(moment) {
      ahead = moment - Date.now()
    },
    advance(ms) {
      ahead += ms
    },
  }
}

const openService = (options: { folder?: string } = {}) =>
  openTestApp({
    ...options,
    env: { LIMIT_IP_RPM: '1000', LIMIT_AGENTS_PER_OWNER: '100' },
    clock: presentClock(),
  })

const cliFor = (app: TestApp, ...args: readonly string[]) =>
  runCli({ DATA_DIR: app.folder, PORT: '4567' }, 'admin', ...args)

/** Once the service has stopped. */
const cliHere = (app: TestApp, ...args: readonly string[]) =>
  runHere({ DATA_DIR: app.folder, PORT: '4567' }, 'admin', ...args)

const ROOT = 'root@example.com'

test('0: "admin token" works beside the running service; its session is in the log and can be ended', async () => {
  await using app = await openTestApp({ env: { ADMIN_EMAILS: ROOT }, clock: presentClock() })
  const { id } = await registerAgent(app, { email: ANN })
  const { code, stdout, stderr } = await runCli(
    { DATA_DIR: app.folder, ADMIN_EMAILS: ROOT },
    ...['admin', 'token', '--email', 'Root@example.com', '--json'],
  )
  assert.equal(code, 0, stderr)
  const { accessToken, tokenType, expiresIn, sessionId } = JSON.parse(stdout).data
  assert.deepEqual([tokenType, expiresIn], ['Bearer', 86_400])
  const issued = app.client({ token: accessToken })
  await issued.updateAgent({ id, status: 'suspended' })

  const root = app.client({ token: await signIn(app, ROOT) })
  const actor = { kind: 'operator', id: `stakewright/${ROOT}`, role: 'admin', session: sessionId, key: null }
  const [suspended] = (await root.listActions({ action: 'suspend' })).data
  assert.deepEqual([suspended?.actor, suspended?.via], [actor, 'rest'])
  const [made] = (await root.listActions({ action: 'issue-token' })).data
  assert.deepEqual(
    [made?.actor.kind, made?.target, made?.session, made?.via],
    ['operator', `stakewright/${ROOT}`, sessionId, 'cli'],
  )
  const ofOperator = (await root.listActions({ actor: 'operator' })).data
  assert.deepEqual(
    ofOperator.map(({ action }) => action),
    ['suspend', 'issue-token'],
    'a token of the operator counts as the operator',
  )
  const listed = (await root.listSessions()).data.find((session) => session.id === sessionId)
  assert.deepEqual([listed?.issuedBy, listed?.isCurrent], ['operator', false])
  await root.endSession({ id: sessionId })
  await assert.rejects(issued.listAgents({ all: true }), { code: 'unauthorized' })
  assert.equal((await runCli({ DATA_DIR: app.folder }, 'audit', 'verify')).code, 0)
})

test('0: "admin token" without --email makes a token of the operator, also on the stopped service', async () => {
  await using app = await openService()
  const { id } = await registerAgent(app, { email: ANN })
  await app.stop()
  const { code, stdout, stderr } = await cliHere(app, 'token')
  assert.equal(code, 0, stderr)
  assert.match(stderr, /operator@localhost.* 24 hours.* 15 minutes/)
  await using running = await openService({ folder: app.folder })
  const operator = running.client({ token: stdout.trim() })
  const listed = (await operator.listAgents({ all: true })).data
  assert.deepEqual(
    listed.map((agent) => agent.id),
    [id],
  )
  running.clock.advance(15 * 60_000)
  await assert.rejects(operator.revokeAgent({ id }), {
    code: 'forbidden',
    message: /stakewright admin token/,
  })
})

test('2, 5, 8: no token is made for a non-admin, without the secrets, or on an older schema', async () => {
  await using app = await openService()
  const stranger = await cliFor(app, 'token', '--email', 'eve@example.com')
  assert.equal(stranger.code, 2)
  assert.match(stranger.stderr, /eve@example\.com is not in ADMIN_EMAILS/)
  await app.stop()
  for (const [secret, variable] of [
    ['jwt-secret', /Set JWT_SECRET/],
    ['key-pepper', /Set KEY_PEPPER/],
  ] as const) {
    await rename(join(app.folder, secret), join(app.folder, 'elsewhere'))
    const { code, stderr } = await cliHere(app, 'token')
    assert.equal(code, 5)
    assert.match(stderr, variable)
    await rename(join(app.folder, 'elsewhere'), join(app.folder, secret))
  }
  const other = await runHere(
    { DATA_DIR: app.folder, KEY_PEPPER: 'another pepper than the one of the store' },
    ...['admin', 'token'],
  )
  assert.equal(other.code, 2)
  assert.match(other.stderr, /The pepper differs from the one/)
  using database = new DatabaseSync(join(app.folder, 'stakewright.db'))
  database.exec("delete from migrations where name like '0007%'")
  const older = await cliHere(app, 'token')
  assert.equal(older.code, 8)
  assert.match(older.stderr, /earlier version. Start this version of the service once/)
  const { count } = database.prepare('select count(*) as count from sessions').get() ?? {}
  assert.equal(count, 0)
})

test('0: on the stopped service agents are listed, suspended, resumed and revoked by the rules of the service', async () => {
  await using app = await openService()
  const { id, apiKey } = await registerAgent(app, { email: ANN, agentName: 'scout' })
  await app.client({ apiKey }).metadata()
  await app.stop()

  const table = await cliHere(app, 'agents')
  assert.equal(table.code, 0)
  assert.match(table.stdout, new RegExp(`^${id} +active +free .* ${ANN} +scout$`, 'm'))
  for (const [action, status] of [
    ['suspend', 'suspended'],
    ['resume', 'active'],
    ['suspend', 'suspended'],
  ] as const) {
    const { code, stdout } = await cliHere(app, action, id, '--json')
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).data.status, status)
  }
  await using running = await openService({ folder: app.folder })
  await assert.rejects(running.client({ apiKey }).metadata(), { message: /suspended/ })
  await running.stop()

  assert.match((await cliHere(app, 'revoke', id)).stdout, new RegExp(`^${id} is revoked since `))
  assert.deepEqual(JSON.parse((await cliHere(app, 'agents', '--json')).stdout), { ok: true, data: [] })
  const [revoked] = JSON.parse((await cliHere(app, 'agents', '--all', '--json')).stdout).data
  assert.equal(revoked.status, 'revoked')
  const resumed = await cliHere(app, 'resume', id)
  assert.equal(resumed.code, 2)
  assert.match(resumed.stderr, /revoked for good/)
})

test('0: with --url the same commands work through the running service, and hold at once', async () => {
  await using app = await openService()
  const { id, apiKey } = await registerAgent(app, { email: ANN })
  const url = ['--url', app.url]
  assert.match((await cliFor(app, 'agents', ...url)).stdout, new RegExp(`^${id} +active`, 'm'))
  const suspended = await cliFor(app, 'suspend', id, ...url)
  assert.equal(suspended.code, 0, suspended.stderr)
  await assert.rejects(app.client({ apiKey }).metadata(), { message: /suspended/ })
  const resumed = await cliFor(app, 'resume', id, ...url)
  assert.equal(resumed.code, 0, resumed.stderr)
  await app.client({ apiKey }).metadata()
  const { code, stdout } = await cliFor(app, 'revoke', id, '--json', ...url)
  assert.equal(code, 0)
  assert.equal(JSON.parse(stdout).data.status, 'revoked')
  await assert.rejects(app.client({ apiKey }).metadata(), { message: /revoked/ })
  using database = new DatabaseSync(join(app.folder, 'stakewright.db'), { readOnly: true })
  const left = database.prepare("select id from sessions where issued_by = 'operator'").all()
  assert.deepEqual(left, [], 'each command ends the session that it has made')
})

test('0: "admin reset-totp" on the stopped service removes the second factor and ends the sessions', async () => {
  const open = (folder?: string) =>
    openTestApp({ ...(folder && { folder }), env: { ADMIN_EMAILS: ANN }, clock: presentClock() })
  await using app = await open()
  const token = await signIn(app, ANN)
  const { secret } = (await app.client({ token }).enrolTotp()).data
  await app.client({ token }).confirmTotp({ code: appCode(secret, app.clock.now()) })
  const busy = await cliFor(app, 'reset-totp', '--email', ANN)
  assert.equal(busy.code, 6)
  assert.match(busy.stderr, /Stop the service/)
  await app.stop()
  assert.match((await cliHere(app, 'reset-totp')).stderr, /--email ADDRESS/)
  const { code, stdout } = await cliHere(app, 'reset-totp', '--email', 'ANN@example.com')
  assert.equal(code, 0)
  assert.match(stdout, /^The authenticator app of ann@example\.com is removed/)
  assert.equal((await cliHere(app, 'reset-totp', '--email', ANN)).code, 5, 'there is none any more')
  await using again = await open(app.folder)
  await assert.rejects(again.client({ token }).listSessions(), { code: 'unauthorized' })
  const ann = again.client({ token: await signIn(again, ANN) })
  const [reset] = (await ann.listActions({ action: 'reset-totp' })).data
  assert.equal(reset?.actor.kind, 'operator')
})

test('0: "admin agents" lists all agents, over several pages', async () => {
  await using app = await openService()
  const ann = app.client({ token: await signIn(app, ANN) })
  const register = (_: unknown, index: number) => ann.registerAgent({ agentName: `agent ${index}` })
  await Promise.all(Array.from({ length: 99 }, register))
  await registerAgent(app, { email: 'bob@example.com' })
  await registerAgent(app, { email: 'cat@example.com' })
  const through = JSON.parse((await cliFor(app, 'agents', '--json', '--url', app.url)).stdout).data
  await app.stop()
  const direct = JSON.parse((await cliHere(app, 'agents', '--json')).stdout).data
  assert.equal(direct.length, 101)
  assert.deepEqual(through, direct)
  assert.equal(direct[0].owner, 'cat@example.com')
})

test('5, 8: an unknown id, a folder without a database, an unreachable service', async () => {
  await using app = await openService()
  await app.stop()
  const missing = await cliHere(app, 'revoke', 'agt_0000000000000000000000')
  assert.equal(missing.code, 5)
  await using empty = await tempFolder()
  const nothing = await runHere({ DATA_DIR: empty.path }, 'admin', 'agents')
  assert.equal(nothing.code, 5)
  assert(nothing.stderr.includes(empty.path))
  assert.deepEqual(await readdir(empty.path), [])
  const unreachable = await cliHere(app, 'agents', '--url', app.url)
  assert.equal(unreachable.code, 8)
  assert.match(unreachable.stderr, /No answer/)
})

test('6: while the service runs, its folder is locked, and the error suggests --url', async () => {
  await using app = await openService()
  for (const args of [['agents'], ['revoke', 'x'], ['suspend', 'x']]) {
    const { code, stdout, stderr } = await cliFor(app, ...args)
    assert.equal(code, 6)
    assert.equal(stdout, '')
    assert.match(stderr, /Another Stakewright process[\s\S]*--url http:\/\/127\.0\.0\.1:4567/)
  }
})
