import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variants } from '../../../test/runs-all.ts'
import { DAY_MS, HOUR_MS } from '../../src/durations.ts'
import { signIn as signedIn } from '../support/registered-agent.ts'
import { codeOf, newestMail, readMails, tokenOf } from '../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

type Limited = { readonly status: number; readonly retryAfterSeconds?: number | undefined }

const statusOf = (call: Promise<unknown>): Promise<Limited> =>
  call.then(
    () => ({ status: 200 }),
    (error: Limited) => ({ status: error.status, retryAfterSeconds: error.retryAfterSeconds }),
  )

const register = (app: TestApp, name: string) =>
  statusOf(app.client().selfRegister({ agentName: name, email: `${name}@example.com` }))

const askForCode = (app: TestApp, email: string) => statusOf(app.client().requestCode({ email }))

const signIn = (app: TestApp, email: string, code: string) =>
  statusOf(app.client().exchangeCode({ email, code }))

for (const ahead of variants([HOUR_MS, 400 * DAY_MS], [2 * DAY_MS])) {
  test(`limits that were used up while the clock was ${ahead / HOUR_MS} hours ahead are free again once it is right`, async () => {
    await using app = await openTestApp()
    app.clock.advance(ahead)
    for (const name of ['a', 'b', 'c']) assert.equal((await register(app, name)).status, 200)
    assert.equal((await register(app, 'd')).status, 429)
    for (let time = 0; time < 3; time += 1)
      assert.equal((await askForCode(app, 'eve@example.com')).status, 200)
    assert.equal((await askForCode(app, 'eve@example.com')).status, 429)
    await app.runJob('deliver-mail')
    const before = (await readMails(app.folder)).length
    app.clock.advance(-ahead)
    assert.equal((await register(app, 'e')).status, 200)
    assert.equal((await askForCode(app, 'eve@example.com')).status, 200)
    await app.runJob('deliver-mail')
    assert.equal((await readMails(app.folder)).length, before + 2)
  })
}

test('mails that were queued while the clock was ahead are sent once it is right', async () => {
  await using app = await openTestApp()
  app.clock.advance(400 * DAY_MS)
  assert.equal((await register(app, 'a')).status, 200)
  app.clock.advance(-400 * DAY_MS)
  await app.runJob('deliver-mail')
  assert.equal((await readMails(app.folder)).length, 1)
})

test('an agent whose limits were used up while the clock was ahead is admitted again once it is right', async () => {
  await using app = await openTestApp()
  app.clock.advance(2 * HOUR_MS)
  await app.runJob('watch-network')
  const { data } = await app.client().sandboxKey({ agentName: 'scout' })
  const agent = app.client({ apiKey: data.apiKey })
  let used = 0
  while ((await statusOf(agent.metadata())).status === 200) used += 1
  assert(used > 0)
  app.clock.advance(-2 * HOUR_MS)
  await app.runJob('watch-network')
  assert.equal((await statusOf(agent.metadata())).status, 200)
})

test('links and codes that were mailed before the clock jumped ahead still work once it is right', async () => {
  await using app = await openTestApp()
  const email = 'a@example.com'
  assert.equal((await register(app, 'a')).status, 200)
  await app.runJob('deliver-mail')
  const token = tokenOf(await newestMail(app.folder, email))
  assert.equal((await askForCode(app, 'eve@example.com')).status, 200)
  await app.runJob('deliver-mail')
  const code = codeOf(await newestMail(app.folder, 'eve@example.com'))
  app.clock.advance(400 * DAY_MS)
  // Everything that deletes expired rows runs now.
  assert.equal((await register(app, 'b')).status, 200)
  assert.equal((await askForCode(app, 'bob@example.com')).status, 200)
  assert.notEqual((await signIn(app, 'eve@example.com', code)).status, 200)
  for (const job of ['sign-audit', 'drop-old-records']) await app.runJob(job)
  app.clock.advance(-400 * DAY_MS)
  assert.equal((await statusOf(app.client().verifyEmail({ token }))).status, 200)
  assert.equal((await signIn(app, 'eve@example.com', code)).status, 200)
})

test('sessions and idempotency keys from before the clock jumped ahead are as they were once it is right', async () => {
  await using app = await openTestApp()
  const once = { idempotencyKey: 'deploy-7' }
  const ann = app.client({ token: await signedIn(app, 'ann@example.com') })
  const { data } = await ann.registerAgent({ agentName: 'once' }, once)
  const agent = app.client({ apiKey: data.apiKey })
  const active = (await agent.validators()).data.find(({ status }) => status === 'active')
  const stake = { validatorId: active?.id ?? '', amount: '10000000000' }
  const built = await agent.buildStake(stake, once)

  app.clock.advance(3 * DAY_MS)
  const bob = app.client({ token: await signedIn(app, 'bob@example.com') })
  await bob.registerAgent({ agentName: 'other' }, once)
  await app.runJob('drop-old-records')
  app.clock.advance(-3 * DAY_MS)
  await app.runJob('watch-network')

  assert.equal((await ann.registerAgent({ agentName: 'once' }, once)).data.id, data.id)
  assert.deepEqual(await agent.buildStake(stake, once), built)
})
