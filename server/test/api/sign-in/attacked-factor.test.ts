import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw } from '../../support/raw-request.ts'
import { mailedCode, signIn } from '../../support/registered-agent.ts'
import { appCode } from '../../support/services/authenticator.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const ROOT = 'root@example.com'
const OTHER = 'other@example.com'
const STEP_MS = 30_000

const open = () =>
  openTestApp({
    env: {
      ADMIN_EMAILS: `${ROOT},${OTHER}`,
      LIMIT_REGISTER_IP_HOUR: '100',
      LIMIT_REGISTER_IP_DAY: '100',
      LIMIT_IP_RPM: '5000',
    },
  })

async function codeFor(app: TestApp, email: string): Promise<string> {
  await app.client().requestCode({ email })
  return mailedCode(app, email)
}

/** Signs in with a raw request, in which `totp` may have any type. */
async function exchange(app: TestApp, email: string, code: string, totp: unknown): Promise<number> {
  const json = { email, code, totp }
  return (await sendRaw(app.url, 'POST /api/v1/auth/token', { json })).status
}

async function enrol(app: TestApp, email: string) {
  const admin = app.client({ token: await signIn(app, email) })
  const { secret } = (await admin.enrolTotp()).data
  const { recoveryCodes } = (await admin.confirmTotp({ code: appCode(secret, app.clock.now()) })).data
  return { secret, recoveryCodes }
}

const isIn = (status: number) => status === 200

test('401: simultaneous codes of neighbouring steps sign in at most once each, and no older one afterwards', async () => {
  await using app = await open()
  const { secret } = await enrol(app, ROOT)
  app.clock.advance(10 * STEP_MS)
  const at = (steps: number) => appCode(secret, app.clock.now() + steps * STEP_MS)
  const tries: { readonly mailed: string; readonly steps: number }[] = []
  for (const steps of [-1, -1, 0, 0, 1, 1]) tries.push({ mailed: await codeFor(app, ROOT), steps })
  const statuses = await Promise.all(tries.map(({ mailed, steps }) => exchange(app, ROOT, mailed, at(steps))))
  assert(statuses.filter(isIn).length <= 3, 'each step at most once')
  assert(statuses.filter(isIn).length >= 1)
  assert(statuses.every((status) => [200, 401].includes(status)))
  for (const steps of [-2, -1, 0, 1, 2])
    assert.equal(await exchange(app, ROOT, await codeFor(app, ROOT), at(steps)), 401, `step ${steps}`)
})

test('401: a used code is used up for sign-in, removal and renewal', async () => {
  await using app = await open()
  const { secret } = await enrol(app, ROOT)
  app.clock.advance(2 * STEP_MS)
  const used = appCode(secret, app.clock.now())
  const { data } = await app
    .client()
    .exchangeCode({ email: ROOT, code: await codeFor(app, ROOT), totp: used })
  const root = app.client({ token: data.accessToken })
  await assert.rejects(root.removeTotp({ code: used }), { code: 'forbidden' })
  await assert.rejects(root.renewRecoveryCodes({ code: used }), { code: 'forbidden' })
  const renew = (code: string) => root.renewRecoveryCodes({ code })
  const remove = (code: string) => root.removeTotp({ code })
  const signIn = async (totp: string) =>
    app.client().exchangeCode({ email: ROOT, code: await codeFor(app, ROOT), totp })
  /** The actions that succeed when all calls use one fresh code at once, in the order of the log. */
  const doneAtOnce = async (...uses: readonly ((code: string) => Promise<unknown>)[]) => {
    app.clock.advance(STEP_MS)
    const since = new Date(app.clock.now()).toISOString()
    const fresh = appCode(secret, app.clock.now())
    await Promise.allSettled(uses.map((use) => use(fresh)))
    const actions = (await root.listActions({ from: since })).data.toReversed()
    return actions.map(({ action }) => action).filter((action) => action !== 'refuse-totp')
  }
  for (let round = 0; round < 3; round += 1)
    assert.equal((await doneAtOnce(renew, signIn)).length, 1, 'of two at once one')
  const [first, ...later] = await doneAtOnce(renew, remove, signIn)
  assert(first)
  // A sign-in after the removal needs no code.
  assert.deepEqual(later, first === 'remove-totp' ? later.filter((action) => action === 'sign-in') : [])
})

test('401: of simultaneous sign-ins with one recovery code, in several spellings, one succeeds', async () => {
  await using app = await open()
  const { recoveryCodes } = await enrol(app, ROOT)
  const [code = ''] = recoveryCodes
  const spellings = [code, code.toLowerCase(), code, code.toLowerCase(), code]
  const mailed: string[] = []
  for (const _ of spellings) mailed.push(await codeFor(app, ROOT))
  const statuses = await Promise.all(
    spellings.map((spelling, at) => exchange(app, ROOT, mailed[at] ?? '', spelling)),
  )
  assert.equal(statuses.filter(isIn).length, 1, String(statuses))
  assert.equal(await exchange(app, ROOT, await codeFor(app, ROOT), code), 401)
})

test('401: the app and the recovery codes of another admin open nothing', async () => {
  await using app = await open()
  const [mine, others] = [await enrol(app, ROOT), await enrol(app, OTHER)]
  app.clock.advance(2 * STEP_MS)
  const code = appCode(others.secret, app.clock.now())
  assert.equal(await exchange(app, ROOT, await codeFor(app, ROOT), code), 401)
  assert.equal(await exchange(app, ROOT, await codeFor(app, ROOT), others.recoveryCodes[0]), 401)
  assert.equal(await exchange(app, OTHER, await codeFor(app, ROOT), code), 401, 'nor does a mail of another')
  assert.equal(
    await exchange(app, OTHER, await codeFor(app, OTHER), code),
    200,
    'and none of it used the code up',
  )
  assert.equal(await exchange(app, ROOT, await codeFor(app, ROOT), mine.recoveryCodes[0]), 200)
})

test('400, 401: a malformed code is refused, and uses nothing up', async () => {
  await using app = await open()
  const { secret, recoveryCodes } = await enrol(app, ROOT)
  app.clock.advance(2 * STEP_MS)
  const right = appCode(secret, app.clock.now())
  const wide = [...right].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
  const shapes: unknown[] = [
    Number(right),
    [right],
    { code: right },
    null,
    true,
    '',
    `${right}\u0000`,
    `+${right}`,
    `0${right}`,
    right.slice(1),
    wide,
    `${right}\n${right}`,
    recoveryCodes.slice(0, 2).join(' '),
    '%',
    "' or 1=1 --",
  ]
  let mailed = await codeFor(app, ROOT)
  for (const [tried, shape] of shapes.entries()) {
    if (tried % 4 === 3) mailed = await codeFor(app, ROOT)
    const status = await exchange(app, ROOT, mailed, shape)
    assert([400, 401].includes(status), `${JSON.stringify(shape)}: ${status}`)
  }
  assert.equal(await exchange(app, ROOT, await codeFor(app, ROOT), right), 200)
})
