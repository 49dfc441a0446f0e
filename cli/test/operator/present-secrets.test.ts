import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import { appCode } from '../../../server/test/support/services/authenticator.ts'
import { tempFolder } from '../../../server/test/support/temp-folder.ts'
import { openTestApp, type TestApp } from '../../../server/test/support/test-app.ts'
import { testClock } from '../../../server/test/support/test-clock.ts'
import { askStore, STORE_VARIABLE, storeVariables } from '../../../server/test/support/test-store.ts'
import { runHere } from '../typed-line.ts'

const ANN = 'ann@example.com'
const OTHER_PEPPER = 'another pepper than the one of the store'

/** A service with an agent and an admin with an authenticator app, and the commands that need the pepper of its store. */
async function operatedService() {
  const app = await openTestApp({
    env: { ADMIN_EMAILS: ANN, ADMIN_TOTP: 'optional' },
    clock: testClock(Date.now()),
  })
  const { id } = await registerAgent(app, { email: ANN })
  const token = await signIn(app, ANN)
  const { secret } = (await app.client({ token }).enrolTotp()).data
  await app.client({ token }).confirmTotp({ code: appCode(secret, app.clock.now()) })
  const commands = [
    ['admin', 'agents'],
    ['admin', 'suspend', id],
    ['admin', 'resume', id],
    ['admin', 'revoke', id],
    ['admin', 'reset-totp', '--email', ANN],
    ['admin', 'token'],
  ]
  return { app, commands }
}

const actionsIn = async ({ folder }: TestApp): Promise<unknown> =>
  (await askStore(folder, 'select count(*) as count from agent_actions'))[0]?.['count']

test('5: no command replaces a missing pepper; each says what to do', async () => {
  const { app, commands } = await operatedService()
  await using service = app
  await service.stop()
  await using folder = await tempFolder(dirname(app.folder))
  const copy = join(folder.path, 'copy')
  const [pepper, elsewhere] = [join(app.folder, 'key-pepper'), join(folder.path, 'elsewhere')]
  const before = await actionsIn(app)
  await rename(pepper, elsewhere)
  for (const line of [...commands, ['audit', 'verify'], ['backup', '--to', copy]]) {
    const { code, stdout, stderr } = await runHere({ DATA_DIR: app.folder }, ...line)
    assert.deepEqual([code, stdout], [5, ''], `${line.join(' ')}: ${stderr}`)
    assert.match(stderr, /no file key-pepper in .*Set KEY_PEPPER as the service has it/, line.join(' '))
    assert(!existsSync(pepper), line.join(' '))
  }
  assert.deepEqual(await readdir(folder.path), ['elsewhere'], 'no copy is left that nothing can use')
  await rename(elsewhere, pepper)
  assert.equal(await actionsIn(app), before)
  const verified = await runHere({ DATA_DIR: app.folder }, 'audit', 'verify')
  assert.equal(verified.code, 0, verified.stderr)
})

test('8: a damaged pepper is reported as such, and not as a store in use', async () => {
  await using app = await openTestApp()
  await app.stop()
  await writeFile(join(app.folder, 'key-pepper'), 'half')
  for (const line of [['agents'], ['reset-totp', '--email', ANN]]) {
    const { code, stderr } = await runHere({ DATA_DIR: app.folder }, 'admin', ...line)
    assert.equal(code, 8, stderr)
    assert.match(stderr, /key-pepper is damaged/)
    assert.doesNotMatch(stderr, /--url|Stop the service/)
  }
})

for (const store of ['sqlite', 'postgres']) {
  test(`2: on ${store}, commands with another pepper than that of the store are refused and change nothing`, async (t) => {
    t.after(() => delete process.env[STORE_VARIABLE])
    process.env[STORE_VARIABLE] = store
    const { app, commands } = await operatedService()
    await using service = app
    await service.stop()
    const env = { DATA_DIR: app.folder, ...(await storeVariables(app.folder)) }
    const before = await actionsIn(app)
    for (const line of commands) {
      const { code, stdout, stderr } = await runHere({ ...env, KEY_PEPPER: OTHER_PEPPER }, ...line)
      assert.deepEqual([code, stdout], [2, ''], `${line.join(' ')}: ${stderr}`)
      assert.match(stderr, /The pepper differs from the one that this store was created with.*Set KEY_PEPPER/)
    }
    assert.equal(await actionsIn(app), before)
    const verified = await runHere(env, 'audit', 'verify')
    assert.equal(verified.code, 0, verified.stderr)
  })

  test(`2: on ${store}, a command never sets the pepper of a store that no service has opened`, async (t) => {
    t.after(() => delete process.env[STORE_VARIABLE])
    process.env[STORE_VARIABLE] = store
    await using app = await openTestApp()
    await app.stop()
    const env = { DATA_DIR: app.folder, ...(await storeVariables(app.folder)) }
    await askStore(app.folder, "delete from seals where name = 'key-pepper'")
    const { code, stderr } = await runHere({ ...env, KEY_PEPPER: OTHER_PEPPER }, 'admin', 'agents')
    assert.equal(code, 2)
    assert.match(stderr, /No service has used this store yet/)
    assert.deepEqual(await askStore(app.folder, "select * from seals where name = 'key-pepper'"), [])
  })
}
