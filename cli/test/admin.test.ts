import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../server/test/support/registered-agent.ts'
import { appCode } from '../../server/test/support/services/authenticator.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { testClock } from '../../server/test/support/test-clock.ts'
import { runCli } from './run-cli.ts'

const ANN = 'ann@example.com'

/** A service whose clock is the present, for the command line has no other. */
const openService = (options: { folder?: string } = {}) =>
  openTestApp({
    ...options,
    env: { LIMIT_IP_RPM: '1000', LIMIT_AGENTS_PER_OWNER: '100' },
    clock: testClock(Date.now()),
  })

const cliFor = (app: TestApp, ...args: readonly string[]) =>
  runCli({ DATA_DIR: app.folder, PORT: '4567' }, 'admin', ...args)

test('0: a token is made whether or not the service runs, and is an admin’s', async () => {
  await using app = await openService()
  const { id } = await registerAgent(app, { email: ANN })
  const { code, stdout, stderr } = await cliFor(app, 'token', '--email', 'Root@example.com')
  assert.equal(code, 0)
  assert.match(stderr, /24 hours/)
  const admin = app.client({ token: stdout.trim() })
  assert.deepEqual(
    (await admin.listAgents({ all: true })).data.map((agent) => agent.id),
    [id],
  )
})

test('0: the token that a secret in the environment gives is good for the service that has the same', async () => {
  const JWT_SECRET = 'a secret of at least 32 characters'
  await using folder = await tempFolder()
  const { stdout } = await runCli({ JWT_SECRET }, 'admin', 'token', '--email', 'a@b.example', '--json')
  const { accessToken, tokenType, expiresIn } = JSON.parse(stdout).data
  assert.equal(tokenType, 'Bearer')
  assert.equal(expiresIn, 86_400)
  await using app = await openTestApp({
    env: { JWT_SECRET },
    clock: testClock(Date.now()),
    folder: folder.path,
  })
  await app.client({ token: accessToken }).listAgents({ all: true })
})

test('0: on the stopped service: list, suspend, resume, revoke, by the rules of the service', async () => {
  await using app = await openService()
  const { id, apiKey } = await registerAgent(app, { email: ANN, agentName: 'scout' })
  await app.client({ apiKey }).metadata()
  await app.stop()

  const table = await cliFor(app, 'agents')
  assert.equal(table.code, 0)
  assert.match(table.stdout, new RegExp(`^${id} +active +free .* ${ANN} +scout$`, 'm'))
  for (const [action, status] of [
    ['suspend', 'suspended'],
    ['resume', 'active'],
    ['suspend', 'suspended'],
  ] as const) {
    const { code, stdout } = await cliFor(app, action, id, '--json')
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).data.status, status)
  }
  await using running = await openService({ folder: app.folder })
  await assert.rejects(running.client({ apiKey }).metadata(), { message: /suspended/ })
  await running.stop()

  assert.match((await cliFor(app, 'revoke', id)).stdout, new RegExp(`^${id} is revoked since `))
  assert.deepEqual(JSON.parse((await cliFor(app, 'agents', '--json')).stdout), { ok: true, data: [] })
  const [revoked] = JSON.parse((await cliFor(app, 'agents', '--all', '--json')).stdout).data
  assert.equal(revoked.status, 'revoked')
  const resumed = await cliFor(app, 'resume', id)
  assert.equal(resumed.code, 2)
  assert.match(resumed.stderr, /revoked for good/)
})

test('0: through the running service with --url: the same, at once', async () => {
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
})

test('0: an admin’s second factor is reset on the stopped service, and its sessions end', async () => {
  const open = (folder?: string) =>
    openTestApp({ ...(folder && { folder }), env: { ADMIN_EMAILS: ANN }, clock: testClock(Date.now()) })
  await using app = await open()
  const token = await signIn(app, ANN)
  const { secret } = (await app.client({ token }).enrolTotp()).data
  await app.client({ token }).confirmTotp({ code: appCode(secret, app.clock.now()) })
  const busy = await cliFor(app, 'reset-totp', '--email', ANN)
  assert.equal(busy.code, 6)
  assert.match(busy.stderr, /Stop the service/)
  await app.stop()
  assert.match((await cliFor(app, 'reset-totp')).stderr, /--email ADDRESS/)
  const { code, stdout } = await cliFor(app, 'reset-totp', '--email', 'ANN@example.com')
  assert.equal(code, 0)
  assert.match(stdout, /^The authenticator app of ann@example\.com is removed/)
  assert.equal((await cliFor(app, 'reset-totp', '--email', ANN)).code, 5, 'there is none any more')
  await using again = await open(app.folder)
  await assert.rejects(again.client({ token }).listSessions(), { code: 'unauthorized' })
  const ann = again.client({ token: await signIn(again, ANN) })
  const [reset] = (await ann.listActions({ action: 'reset-totp' })).data
  assert.equal(reset?.actor.kind, 'operator')
})

test('0: every agent is listed, over as many pages as there are', async () => {
  await using app = await openService()
  const ann = app.client({ token: await signIn(app, ANN) })
  const register = (_: unknown, index: number) => ann.registerAgent({ agentName: `agent ${index}` })
  await Promise.all(Array.from({ length: 99 }, register))
  await registerAgent(app, { email: 'bob@example.com' })
  await registerAgent(app, { email: 'cat@example.com' })
  const through = JSON.parse((await cliFor(app, 'agents', '--json', '--url', app.url)).stdout).data
  await app.stop()
  const direct = JSON.parse((await cliFor(app, 'agents', '--json')).stdout).data
  assert.equal(direct.length, 101)
  assert.deepEqual(through, direct)
  assert.equal(direct[0].owner, 'cat@example.com')
})

test('5, 8: an id that nobody has, a folder without a database, a service that is not there', async () => {
  await using app = await openService()
  await app.stop()
  const missing = await cliFor(app, 'revoke', 'agt_0000000000000000000000')
  assert.equal(missing.code, 5)
  await using empty = await tempFolder()
  const nothing = await runCli({ DATA_DIR: empty.path }, 'admin', 'agents')
  assert.equal(nothing.code, 5)
  assert(nothing.stderr.includes(empty.path))
  assert.deepEqual(await readdir(empty.path), [])
  const unreachable = await cliFor(app, 'agents', '--url', app.url)
  assert.equal(unreachable.code, 8)
  assert.match(unreachable.stderr, /No answer/)
})

test('6: while the service runs, its folder is its own, and the way through it is told', async () => {
  await using app = await openService()
  for (const args of [['agents'], ['revoke', 'x'], ['suspend', 'x']]) {
    const { code, stdout, stderr } = await cliFor(app, ...args)
    assert.equal(code, 6)
    assert.equal(stdout, '')
    assert.match(stderr, /Another Stakewright process[\s\S]*--url http:\/\/127\.0\.0\.1:4567/)
  }
})
