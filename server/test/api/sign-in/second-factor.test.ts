import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../../src/durations.ts'
import { ADMIN } from '../../support/builder-agent.ts'
import { sendRaw, withoutRequestId } from '../../support/raw-request.ts'
import { mailedCode, registerAgent, signIn } from '../../support/registered-agent.ts'
import { appCode } from '../../support/services/authenticator.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { askStore, changeStore } from '../../support/test-store.ts'

const ROOT = 'root@example.com'
const MANY = { LIMIT_REGISTER_IP_HOUR: '100', LIMIT_REGISTER_IP_DAY: '100', LIMIT_IP_RPM: '1000' }
const STEP_MS = 30_000
const NEEDS_FACTOR = { code: 'unauthorized', details: [{ field: 'totp', message: 'is required' }] }
const WRONG_FACTOR = {
  code: 'unauthorized',
  details: [{ field: 'totp', message: 'is wrong, used or tried too often' }],
}

const open = (env: Readonly<Record<string, string>> = {}) =>
  openTestApp({ env: { ...ADMIN, ...MANY, ...env } })

async function codeFor(app: TestApp): Promise<string> {
  await app.client().requestCode({ email: ROOT })
  return mailedCode(app, ROOT)
}

const exchange = (app: TestApp, code: string, totp?: string) =>
  app.client().exchangeCode({ email: ROOT, code, ...(totp !== undefined && { totp }) })

/** A new code of the app: the service takes each once. */
function nextCode(app: TestApp, secret: string): string {
  app.clock.advance(STEP_MS)
  return appCode(secret, app.clock.now())
}

async function enrol(app: TestApp) {
  const root = app.client({ token: await signIn(app, ROOT) })
  const { data } = await root.enrolTotp()
  const { recoveryCodes } = (await root.confirmTotp({ code: appCode(data.secret, app.clock.now()) })).data
  return { secret: data.secret, recoveryCodes, before: root }
}

async function signInWithApp(app: TestApp, secret: string) {
  const { data } = await exchange(app, await codeFor(app), nextCode(app, secret))
  return app.client({ token: data.accessToken })
}

const wrongOf = (code: string) => String((Number(code) + 500_000) % 1_000_000).padStart(6, '0')

test('an enrolled admin signs in with a mailed code and a code of the app, and not with one of them', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  const code = await codeFor(app)
  await assert.rejects(exchange(app, code), NEEDS_FACTOR)
  await assert.rejects(exchange(app, code, wrongOf(appCode(secret, app.clock.now()))), WRONG_FACTOR)
  const { data } = await exchange(app, code, nextCode(app, secret))
  const root = app.client({ token: data.accessToken })
  await root.listAgents({ all: true })
  const state = (await root.totpState()).data
  assert.equal(state.isEnrolled, true)
  assert.equal(state.isRequired, false)
  assert.equal(state.recoveryCodesLeft, 10)
})

test('a sign-in that cannot store its session uses up neither the mailed code nor the recovery code', async () => {
  await using app = await open()
  const [recovery = ''] = (await enrol(app)).recoveryCodes
  const code = await codeFor(app)
  await changeStore(app.folder, 'alter table sessions rename to sessions_away')
  await assert.rejects(exchange(app, code, recovery), { status: 500 })
  await changeStore(app.folder, 'alter table sessions_away rename to sessions')
  const { data } = await exchange(app, code, recovery)
  const root = app.client({ token: data.accessToken })
  assert.equal((await root.totpState()).data.recoveryCodesLeft, 9)
})

test('a secret is valid only once it is confirmed, within 15 minutes', async () => {
  await using app = await open()
  const root = app.client({ token: await signIn(app, ROOT) })
  await assert.rejects(root.confirmTotp({ code: '123456' }), { code: 'not_found' })
  const first = (await root.enrolTotp()).data
  const second = (await root.enrolTotp()).data
  assert.notEqual(first.secret, second.secret)
  assert.match(second.uri, new RegExp(`^otpauth://totp/.*secret=${second.secret}`))
  await assert.rejects(root.confirmTotp({ code: appCode(first.secret, app.clock.now()) }), {
    code: 'forbidden',
    fix: /^Enter the secret of the newest enrolment/,
  })
  assert.equal((await root.totpState()).data.isEnrolled, false)
  const again = app.client({ token: await signIn(app, ROOT) })
  app.clock.advance(14 * 60_000)
  const { secret } = (await again.enrolTotp()).data
  const fresh = app.client({ token: await signIn(app, ROOT) })
  app.clock.advance(HOUR_MS / 4)
  await assert.rejects(fresh.confirmTotp({ code: appCode(secret, app.clock.now()) }), { code: 'forbidden' })
  const late = app.client({ token: await signIn(app, ROOT) })
  await assert.rejects(late.confirmTotp({ code: appCode(secret, app.clock.now()) }), { code: 'not_found' })
})

test('confirming ends every earlier session, and the current one', async () => {
  await using app = await open()
  const other = app.client({ token: await signIn(app, ROOT) })
  const { before } = await enrol(app)
  for (const session of [other, before])
    await assert.rejects(session.listSessions(), { code: 'unauthorized' })
})

test('a code of the app works once: replayed, at once or later, it is refused', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  const used = appCode(secret, app.clock.now())
  await assert.rejects(exchange(app, await codeFor(app), used), WRONG_FACTOR, 'the one that has confirmed')
  const codes = [await codeFor(app), await codeFor(app), await codeFor(app)]
  const totp = nextCode(app, secret)
  const results = await Promise.allSettled(codes.map((code) => exchange(app, code, totp)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  app.clock.advance(STEP_MS)
  await assert.rejects(exchange(app, await codeFor(app), totp), WRONG_FACTOR)
})

test('a code is good one step early and one step late, and an older one is not once a newer was used', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  app.clock.advance(10 * STEP_MS)
  const at = (steps: number) => appCode(secret, app.clock.now() + steps * STEP_MS)
  for (const steps of [-2, 2]) {
    await assert.rejects(exchange(app, await codeFor(app), at(steps)), WRONG_FACTOR, String(steps))
  }
  await exchange(app, await codeFor(app), at(-1))
  await exchange(app, await codeFor(app), at(1))
  await assert.rejects(exchange(app, await codeFor(app), at(0)), WRONG_FACTOR)
})

test('a clock that was a year ahead once does not lock the admin out for a year', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  await askStore(app.folder, 'update admin_factors set last_step = last_step + 1051200')
  await signInWithApp(app, secret)
  await assert.rejects(exchange(app, await codeFor(app), appCode(secret, app.clock.now())), WRONG_FACTOR)
})

test('five wrong factors end a mailed code for its network, and nothing else of the admin', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  const code = await codeFor(app)
  const guess = wrongOf(appCode(secret, app.clock.now()))
  const guesses = Array.from({ length: 5 }, () => exchange(app, code, guess))
  for (const { status } of await Promise.allSettled(guesses)) assert.equal(status, 'rejected')
  await assert.rejects(exchange(app, code, nextCode(app, secret)))
  await signInWithApp(app, secret)
})

test('a reader of the mail in another network can neither go on guessing nor use up the code of the admin', async () => {
  await using app = await open({ TRUST_PROXY_HOPS: '1' })
  const post = async (from: string, json: object) => {
    const answer = await sendRaw(app.url, 'POST /api/v1/auth/token', {
      headers: ['X-Forwarded-For', from],
      json: { email: ROOT, ...json },
    })
    return answer.status
  }
  const { secret } = await enrol(app)
  await app.client().requestCode({ email: ROOT })
  await mailedCode(app, ROOT)
  const longCode = /^ {4}(\w{5}(?:-\w{5}){3})$/m.exec((await newest(app)).raw)?.[1] ?? assert.fail()
  const right = nextCode(app, secret)
  for (let count = 0; count < 20; count += 1) {
    assert.equal(await post(`198.51.100.${count}`, { code: longCode, totp: wrongOf(right) }), 401)
  }
  assert.equal(await post('198.51.100.77', { code: longCode, totp: right }), 401, 'its tries are used up')
  const { data } = await app.client().exchangeCode({ email: ROOT, code: longCode, totp: right })
  const root = app.client({ token: data.accessToken })
  const refused = (await root.listActions({ action: 'refuse-totp' })).data
  assert.equal(refused.length, 5, 'what was tried is recorded, and no more than may be tried')
  assert.equal(refused[0]?.actor.kind, 'anybody')
})

const newest = async (app: TestApp) => (await readMails(app.folder)).at(-1) ?? assert.fail()

test('strangers cannot see a second factor: it is asked for only after a right mailed code', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  const code = await codeFor(app)
  const refusal = async (json: object) => {
    const answer = await sendRaw(app.url, 'POST /api/v1/auth/token', { json })
    assert.equal(answer.status, 401)
    return withoutRequestId(answer)
  }
  const ofNobody = await refusal({ email: 'nobody@example.com', code: '123456', totp: '123456' })
  const wrong = { email: ROOT, code: wrongOf(code) }
  assert.equal(await refusal(wrong), ofNobody)
  assert.equal(await refusal({ ...wrong, totp: nextCode(app, secret) }), ofNobody)
  await exchange(app, code, appCode(secret, app.clock.now()))
})

test('a recovery code signs in once, in any letter case, and is recorded and mailed', async () => {
  await using app = await open()
  const { recoveryCodes } = await enrol(app)
  const [first = '', second = ''] = recoveryCodes
  assert.equal(new Set(recoveryCodes).size, 10)
  const { data } = await exchange(app, await codeFor(app), first.toLowerCase())
  const root = app.client({ token: data.accessToken })
  assert.equal((await root.totpState()).data.recoveryCodesLeft, 9)
  await assert.rejects(exchange(app, await codeFor(app), first), WRONG_FACTOR)
  await exchange(app, await codeFor(app), second)
  const actions = (await root.listActions()).data.map(({ action, target }) => [action, target])
  const target = `stakewright/${ROOT}`
  assert.deepEqual(actions, [
    ['sign-in', target],
    ['use-recovery-code', target],
    ['refuse-totp', target],
    ['sign-in', target],
    ['use-recovery-code', target],
    ['enrol-totp', target],
    ['begin-totp', target],
    ['sign-in', target],
  ])
  await app.runJob('deliver-mail')
  const notices = (await readMails(app.folder)).filter(({ raw }) => /^Subject: The second factor/m.test(raw))
  assert.equal(notices.length, 4)
})

test('removing takes a fresh code: neither the session alone nor a used code is enough', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  const root = await signInWithApp(app, secret)
  const used = appCode(secret, app.clock.now())
  await assert.rejects(root.enrolTotp(), {
    code: 'forbidden',
    message: /enrolled already/,
    fix: /^Remove the app/,
  })
  await assert.rejects(root.removeTotp({ code: used }), { code: 'forbidden', fix: /^Wait for the next code/ })
  await root.removeTotp({ code: nextCode(app, secret) })
  await assert.rejects(root.removeTotp({ code: nextCode(app, secret) }), { code: 'not_found' })
  await app.client({ token: await signIn(app, ROOT) }).listAgents({ all: true })
})

test('a stolen session has five guesses at the factor it wants to remove; then even a right code is refused', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  const stolen = await signInWithApp(app, secret)
  const guess = wrongOf(appCode(secret, app.clock.now()))
  for (let count = 0; count < 5; count += 1) {
    await assert.rejects(stolen.removeTotp({ code: guess }), { code: 'forbidden' })
  }
  await assert.rejects(stolen.removeTotp({ code: nextCode(app, secret) }), { code: 'forbidden' })
  const own = await signInWithApp(app, secret)
  await own.removeTotp({ code: nextCode(app, secret) })
})

test('renewed recovery codes replace all earlier ones, with a code of the app that was not used yet', async () => {
  await using app = await open()
  const { secret, recoveryCodes: old } = await enrol(app)
  const root = await signInWithApp(app, secret)
  const used = appCode(secret, app.clock.now())
  await assert.rejects(root.renewRecoveryCodes({ code: used }), { code: 'forbidden' })
  await assert.rejects(root.renewRecoveryCodes({ code: old[0] ?? '' }), { code: 'invalid_input' })
  const { recoveryCodes } = (await root.renewRecoveryCodes({ code: nextCode(app, secret) })).data
  assert.equal(new Set([...old, ...recoveryCodes]).size, 20)
  assert.equal((await root.totpState()).data.recoveryCodesLeft, 10)
  for (const code of old.slice(0, 2)) {
    await assert.rejects(exchange(app, await codeFor(app), code), WRONG_FACTOR)
  }
  await exchange(app, await codeFor(app), recoveryCodes[0])
  const renewals = (await root.listActions({ action: 'renew-recovery-codes' })).data
  assert.deepEqual(
    renewals.map(({ endpoint, target }) => [endpoint, target]),
    [['POST /api/v1/auth/totp/recovery-codes', `stakewright/${ROOT}`]],
  )
  await app.runJob('deliver-mail')
  const notices = (await readMails(app.folder)).filter(({ raw }) => /recovery codes of your admin/.test(raw))
  assert.equal(notices.length, 1)
})

test('of simultaneous renewals with one code one succeeds, and only its recovery codes work', async () => {
  await using app = await open()
  const { secret } = await enrol(app)
  const root = await signInWithApp(app, secret)
  const code = nextCode(app, secret)
  const results = await Promise.allSettled([1, 2, 3].map(() => root.renewRecoveryCodes({ code })))
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.data] : []))
  assert.equal(made.length, 1)
  assert.equal((await root.totpState()).data.recoveryCodesLeft, 10)
  await exchange(app, await codeFor(app), made[0]?.recoveryCodes[9])
})

test('guesses at a removal and at a renewal count together, and renew nothing', async () => {
  await using app = await open()
  const { secret, recoveryCodes } = await enrol(app)
  const stolen = await signInWithApp(app, secret)
  const guess = wrongOf(appCode(secret, app.clock.now()))
  for (let count = 0; count < 3; count += 1) {
    await assert.rejects(stolen.renewRecoveryCodes({ code: guess }), { code: 'forbidden' })
  }
  for (let count = 0; count < 2; count += 1) {
    await assert.rejects(stolen.removeTotp({ code: guess }), { code: 'forbidden' })
  }
  await assert.rejects(stolen.renewRecoveryCodes({ code: nextCode(app, secret) }), { code: 'forbidden' })
  await exchange(app, await codeFor(app), recoveryCodes[0])
})

test('renewing needs a sign-in within 15 minutes and an enrolled app', async () => {
  await using app = await open()
  const plain = app.client({ token: await signIn(app, ROOT) })
  await assert.rejects(plain.renewRecoveryCodes({ code: '123456' }), { code: 'not_found' })
  const { secret } = await enrol(app)
  const root = await signInWithApp(app, secret)
  app.clock.advance(HOUR_MS / 4)
  await assert.rejects(root.renewRecoveryCodes({ code: nextCode(app, secret) }), {
    code: 'forbidden',
    message: /in the first 15 minutes/,
  })
})

test('ADMIN_TOTP=required: an admin without a second factor can only enrol one', async () => {
  await using app = await open({ ADMIN_TOTP: 'required' })
  const root = app.client({ token: await signIn(app, ROOT) })
  const refused = { code: 'forbidden', message: /Admins need a second factor/, fix: /Enrol/ }
  for (const attempt of [
    () => root.listAgents({ all: true }),
    () => root.listActions(),
    () => root.registerAgent({ agentName: 'x', tier: 'pro' }),
    () => root.serviceStatus(),
  ])
    await assert.rejects(attempt(), refused)
  assert.equal((await root.totpState()).data.isRequired, true)
  const { secret } = (await root.enrolTotp()).data
  await root.confirmTotp({ code: appCode(secret, app.clock.now()) })
  const enrolled = await signInWithApp(app, secret)
  await enrolled.registerAgent({ agentName: 'x', tier: 'pro' })
  await app.client({ token: await signIn(app, 'ann@example.com') }).listAgents()
})

test('403: a user who is no admin has no second factor', async () => {
  await using app = await open()
  const ann = app.client({ token: await signIn(app, 'ann@example.com') })
  for (const attempt of [
    () => ann.totpState(),
    () => ann.enrolTotp(),
    () => ann.confirmTotp({ code: '123456' }),
    () => ann.renewRecoveryCodes({ code: '123456' }),
    () => ann.removeTotp({ code: '123456' }),
  ])
    await assert.rejects(attempt(), { code: 'forbidden' })
})

/** Changes by an attacker who can write the database, to get past the factor. */
const FORGERIES = {
  removed: ['delete from admin_factors'],
  'removed with a forged action': [
    'delete from admin_factors',
    `insert into agent_actions
       (at, actor_kind, actor_id, actor_role, action, agent_id, address, via, previous, mac)
     select at, actor_kind, actor_id, actor_role, 'remove-totp', agent_id, address, via, mac, mac
     from agent_actions`,
  ],
  'removed with its actions': [
    'delete from admin_factors',
    "delete from agent_actions where action like '%totp%'",
  ],
  'made unconfirmed': ['update admin_factors set confirmed_at = null'],
  'given to another admin': ["update admin_factors set user_id = 'stakewright/eve@example.com'"],
}

for (const [what, forgery] of Object.entries(FORGERIES)) {
  test(`a factor that was ${what} in the database is still asked for`, async () => {
    await using app = await open({ ADMIN_EMAILS: `${ROOT},eve@example.com` })
    const { secret } = await enrol(app)
    const { apiKey } = await registerAgent(app)
    await app.client({ apiKey }).revokeSelf()
    for (const statement of forgery) await askStore(app.folder, statement)
    const code = await codeFor(app)
    await assert.rejects(exchange(app, code), NEEDS_FACTOR)
    await assert.rejects(exchange(app, code, nextCode(app, secret)), WRONG_FACTOR)
    const eve = 'eve@example.com'
    await app.client().requestCode({ email: eve })
    const evesCode = await mailedCode(app, eve)
    const attempt = app.client().exchangeCode({ email: eve, code: evesCode, totp: nextCode(app, secret) })
    // If actions are missing, the service cannot tell whose factor it is.
    if (/another admin|its actions/.test(what)) await assert.rejects(attempt, WRONG_FACTOR)
    else await attempt
  })
}

test('the store has neither the secret nor a recovery code in plain text', async () => {
  await using app = await open()
  const { secret, recoveryCodes } = await enrol(app)
  const rows = [
    ...(await askStore(app.folder, 'select * from admin_factors')),
    ...(await askStore(app.folder, 'select * from recovery_codes')),
  ]
  assert.equal(rows.length, 11)
  const text = JSON.stringify(rows)
  for (const plain of [secret, ...recoveryCodes]) assert(!text.includes(plain))
})
