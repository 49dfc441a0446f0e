import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { recordActions, sqlAgentActions } from '#adapters/sql/stores/agent-actions.ts'
import { dropExpired } from '#adapters/sql/stores/drop-expired.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { sqlAdminFactors } from '#adapters/sql/stores/sign-in/admin-factors.ts'
import { sqlSessions } from '#adapters/sql/stores/sign-in/sessions.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { otpauthCodes } from '#adapters/totp/otpauth-codes.ts'
import type { User } from '#ports/stores/users.ts'
import { turnsDuring } from '../../../../test/turns-during.ts'
import { claimAll } from '../../../test/contracts/suites/sample-codes.ts'
import { appCode } from '../../../test/support/services/authenticator.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { testClock } from '../../../test/support/test-clock.ts'
import { CLOCK_STEP_MS, DAY_MS, MINUTE_MS } from '../../durations.ts'
import { ANYBODY, circumstances } from '../agents/manager.ts'
import { factorMissing, factorProof, factorRecord, factorWrong } from './second-factor.ts'
import {
  confirmFactor,
  enrolFactor,
  lacksFactor,
  readFactor,
  refuseFactor,
  removeFactor,
  renewRecoveryCodes,
} from './totp.ts'

const STEP_MS = 30_000
const RULES = {
  isRequired: false,
  enrolMs: 15 * MINUTE_MS,
  tries: 3,
  recoveryCodes: 4,
  noticesPerDay: 50,
}
const HERE = '203.0.113.7'
const UNKNOWN_RECOVERY_CODE = 'AAAAA-AAAAA-AAAAA-AAAAA'

const admin = (email: string, session = 'one'): User => ({
  id: `stakewright/${email}`,
  email,
  role: 'admin',
  session: { id: session, signedInAt: 0, hasFactor: true, issuedBy: 'sign-in' },
})
const ROOT = admin('root@example.com')
const EVE = admin('eve@example.com')

/** The operations of the second factor on a real store, without a running service. */
async function openFactors(rules: Partial<typeof RULES> = {}) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const clock = testClock()
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
  const factors = sqlAdminFactors({ db, secrets })
  const needs = { factors, oneTimeCodes: otpauthCodes, secrets, clock, rules: { ...RULES, ...rules } }
  const [enrol, confirm] = [enrolFactor(needs), confirmFactor(needs)]
  const outbox = sqlOutbox({ db, secrets })
  const resources = opened.move()
  return {
    db,
    clock,
    factors,
    secrets,
    enrol,
    confirm,
    sessions: sqlSessions(db, secrets),
    read: readFactor(needs),
    remove: removeFactor(needs),
    renew: renewRecoveryCodes(needs),
    /** A code of the app that was not used yet. */
    next(secret: string): string {
      clock.advance(STEP_MS)
      return appCode(secret, clock.now())
    },
    async enrolled(user: User) {
      const { secret } = await enrol(user, HERE)
      return { secret, codes: await confirm(user, appCode(secret, clock.now()), HERE) }
    },
    /** The recorded actions, oldest first. */
    async actions() {
      const found = await sqlAgentActions(db).list({}, { before: undefined, limit: 100 })
      return found.map(({ action, agentId, actor }) => `${action} ${agentId} ${actor.kind}`).reverse()
    },
    /** The queued mails: address and first line. */
    async mails() {
      const due = await claimAll(outbox, clock.now())
      return due.map(({ mail }) => `${mail?.to}: ${mail?.text.split('\n')[0]}`)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const wrongOf = (code: string) => String((Number(code) + 500_000) % 1_000_000).padStart(6, '0')
const WRONG = { code: 'forbidden', details: [{ field: 'code', message: 'is wrong or used' }] }

test('a secret is confirmed once, within its time, by a code of it, and only by its user', async () => {
  await using opened = await openFactors()
  const { clock, enrol, confirm, read, factors } = opened
  await assert.rejects(confirm(ROOT, '123456', HERE), { code: 'not_found' })
  const { secret, uri, expiresAt } = await enrol(ROOT, HERE)
  assert.equal(secret.length, 32)
  assert.match(uri, /root%40example\.com/)
  assert.equal(expiresAt, clock.now() + RULES.enrolMs)
  const code = appCode(secret, clock.now())
  await assert.rejects(confirm(ROOT, wrongOf(code), HERE), { ...WRONG, fix: /^Enter the secret/ })
  await assert.rejects(confirm(EVE, code, HERE), { code: 'not_found' })
  assert.deepEqual(await read(ROOT), { isRequired: false, factor: undefined })
  assert.equal(await factors.isEnrolled(ROOT.id), false)
  assert.equal((await confirm(ROOT, code, HERE)).length, RULES.recoveryCodes)
  const factor = { confirmedAt: clock.now(), recoveryCodesLeft: RULES.recoveryCodes }
  assert.deepEqual(await read(ROOT), { isRequired: false, factor })
  await assert.rejects(confirm(ROOT, code, HERE), { code: 'not_found' })
  await assert.rejects(enrol(ROOT, HERE), { code: 'forbidden', message: /enrolled already/ })
  await enrol(EVE, HERE)
})

test('a new secret can be confirmed for exactly 15 minutes', async () => {
  await using opened = await openFactors()
  const { clock, enrol, confirm } = opened
  const late = await enrol(ROOT, HERE)
  clock.advance(RULES.enrolMs)
  await assert.rejects(confirm(ROOT, appCode(late.secret, clock.now()), HERE), { code: 'not_found' })
  const soon = await enrol(ROOT, HERE)
  clock.advance(RULES.enrolMs - 1)
  await confirm(ROOT, appCode(soon.secret, clock.now()), HERE)
})

test('confirming and resetting a factor end all sessions of its user, and none of other users', async () => {
  await using opened = await openFactors()
  const { clock, sessions, factors, secrets, enrolled } = opened
  const now = clock.now()
  const begin = (id: string, userId: string) =>
    sessions.begin({
      session: { id, userId, issuedBy: 'sign-in', truncatedAddress: '', createdAt: now, expiresAt: now + 1 },
      record: { action: 'sign-in', ...circumstances(ANYBODY, { client: HERE, via: 'rest' }, now) },
      most: 9,
    })
  await begin('of eve', EVE.id)
  await begin('of root', ROOT.id)
  await enrolled(ROOT)
  assert.equal(await sessions.isOpen('of root', ROOT.id, now), false)
  assert.equal(await sessions.isOpen('of eve', EVE.id, now), true)
  await begin('again', ROOT.id)
  const about = { email: 'root@example.com', at: now, client: '', via: 'cli', mailsPerDay: 1 } as const
  const operator = { kind: 'operator', id: 'operator', role: 'admin' } as const
  const record = factorRecord(secrets, 'reset-totp', { ...about, actor: operator })
  assert.equal(await factors.reset(EVE.id, record), false)
  assert.equal(await factors.reset(ROOT.id, record), true)
  assert.equal(await factors.reset(ROOT.id, record), false)
  assert.equal(await sessions.isOpen('again', ROOT.id, now), false)
  assert.equal(await sessions.isOpen('of eve', EVE.id, now), true)
  assert.equal(await factors.isEnrolled(ROOT.id), false)
})

test('a code of the app that was used for enrolment or renewal does not remove the factor; a new one does', async () => {
  await using opened = await openFactors()
  const { clock, enrolled, remove, renew, next, read } = opened
  await assert.rejects(remove(ROOT, '123456', HERE), { code: 'not_found' })
  const { secret } = await enrolled(ROOT)
  const used = appCode(secret, clock.now())
  await assert.rejects(remove(ROOT, used, HERE), WRONG)
  await renew(ROOT, appCode(secret, clock.now() + STEP_MS), HERE)
  await assert.rejects(remove(ROOT, next(secret), HERE), WRONG, 'it was used for the renewal')
  await remove(ROOT, next(secret), HERE)
  assert.equal((await read(ROOT)).factor, undefined)
})

test('a last used step more than five minutes ahead (from a wrong clock) is ignored', async () => {
  for (const [ahead, isRefused] of [
    [CLOCK_STEP_MS, true],
    [CLOCK_STEP_MS + STEP_MS, false],
  ] as const) {
    await using opened = await openFactors()
    const { db, clock, enrolled, remove } = opened
    const { secret } = await enrolled(ROOT)
    clock.advance(STEP_MS)
    const last_step = otpauthCodes.stepAt(clock.now() + ahead)
    await db.updateTable('admin_factors').set({ last_step }).execute()
    const removal = remove(ROOT, appCode(secret, clock.now()), HERE)
    if (isRefused) await assert.rejects(removal, WRONG)
    else await removal
  }
})

test('a recovery code removes the factor of its own user only; the codes of others stay', async () => {
  await using opened = await openFactors()
  const { enrolled, remove, read } = opened
  const { codes } = await enrolled(ROOT)
  const eves = await enrolled(EVE)
  await assert.rejects(remove(ROOT, eves.codes[0] ?? '', HERE), WRONG)
  await remove(ROOT, (codes[1] ?? '').toLowerCase(), HERE)
  assert.equal((await read(EVE)).factor?.recoveryCodesLeft, RULES.recoveryCodes)
  await remove(EVE, eves.codes[0] ?? '', HERE)
})

test('503: a recovery code that the database fails to delete is not accepted', async () => {
  await using opened = await openFactors()
  const { db, enrolled, remove, read } = opened
  const { codes } = await enrolled(ROOT)
  await sql`create trigger back after delete on recovery_codes begin
    insert into recovery_codes (digest, user_id) values (old.digest, old.user_id); end`.execute(db)
  await assert.rejects(remove(ROOT, codes[0] ?? '', HERE), { code: 'store_not_ready' })
  assert.notEqual((await read(ROOT)).factor, undefined)
  await sql`drop trigger back`.execute(db)
  await remove(ROOT, codes[0] ?? '', HERE)
})

test('a renewal replaces all recovery codes of the user; a refused renewal replaces none', async () => {
  await using opened = await openFactors()
  const { enrolled, renew, remove, next, read } = opened
  const { secret, codes } = await enrolled(ROOT)
  const eves = await enrolled(EVE)
  await assert.rejects(renew(ROOT, wrongOf(next(secret)), HERE), WRONG)
  const fresh = await renew(ROOT, next(secret), HERE)
  assert.equal(new Set([...codes, ...fresh]).size, 2 * RULES.recoveryCodes)
  assert.equal((await read(ROOT)).factor?.recoveryCodesLeft, RULES.recoveryCodes)
  await assert.rejects(remove(ROOT, codes[0] ?? '', HERE), WRONG)
  await remove(ROOT, fresh[0] ?? '', HERE)
  await remove(EVE, eves.codes[0] ?? '', HERE)
})

test('wrong proofs use up the tries of their session and network; a right proof uses up none', async () => {
  await using opened = await openFactors()
  const { db, enrolled, remove, renew, next, clock } = opened
  const { secret } = await enrolled(ROOT)
  const guess = (user: User, from = HERE) =>
    assert.rejects(remove(user, UNKNOWN_RECOVERY_CODE, from), { ...WRONG, fix: /^Wait for the next code/ })
  const other = admin('root@example.com', 'two')
  await guess(ROOT)
  await guess(ROOT)
  await renew(ROOT, next(secret), HERE)
  await guess(ROOT)
  await assert.rejects(renew(ROOT, next(secret), HERE), WRONG, 'its tries are used up')
  await dropExpired(db, clock.now() + DAY_MS - MINUTE_MS * 5)
  await assert.rejects(renew(ROOT, next(secret), HERE), WRONG, 'and the upkeep gives none back')
  await renew(ROOT, appCode(secret, clock.now()), '198.51.100.1')
  await guess(other)
  await guess(other)
  await renew(other, next(secret), HERE)
})

test('with a limit of one try, a right proof is still accepted', async () => {
  await using opened = await openFactors({ tries: 1 })
  const { enrolled, renew, remove, next } = opened
  const { secret } = await enrolled(ROOT)
  await renew(ROOT, next(secret), HERE)
  await assert.rejects(remove(ROOT, UNKNOWN_RECOVERY_CODE, HERE), WRONG)
  await assert.rejects(remove(ROOT, next(secret), HERE), WRONG)
})

test('each change and each refusal is recorded and mailed to its user', async () => {
  await using opened = await openFactors()
  const { enrolled, renew, remove, next, actions, mails } = opened
  const { secret } = await enrolled(ROOT)
  await renew(ROOT, next(secret), HERE)
  await assert.rejects(remove(ROOT, UNKNOWN_RECOVERY_CODE, HERE), WRONG)
  await remove(ROOT, next(secret), HERE)
  const names = ['begin-totp', 'enrol-totp', 'renew-recovery-codes', 'refuse-totp', 'remove-totp']
  assert.deepEqual(
    await actions(),
    names.map((name) => `${name} ${ROOT.id} user`),
  )
  const told = await mails()
  const words = [/app was enrolled/, /codes of your .* replaced/, /a wrong second factor/, /app .* removed/]
  assert.equal(told.length, words.length)
  for (const [at, text] of told.entries()) {
    assert.match(text, words[at] ?? /never/)
    assert.match(text, /^root@example\.com: /)
  }
})

test('removals, refusals and other changes have separate mail budgets', async () => {
  await using opened = await openFactors({ noticesPerDay: 1, tries: 9 })
  const { enrolled, renew, remove, next, mails } = opened
  const { secret } = await enrolled(ROOT)
  await renew(ROOT, next(secret), HERE)
  for (let count = 0; count < 3; count += 1)
    await assert.rejects(remove(ROOT, UNKNOWN_RECOVERY_CODE, HERE), WRONG)
  await remove(ROOT, next(secret), HERE)
  assert.deepEqual(
    (await mails()).map((text) => /enrolled|wrong|removed/.exec(text)?.[0]),
    ['enrolled', 'wrong', 'removed'],
  )
})

test('a factor is required as long as the sealed log has its enrolment, even if its row was deleted', async () => {
  await using opened = await openFactors()
  const { db, enrolled, factors, enrol, remove, next } = opened
  const { secret } = await enrolled(ROOT)
  await db.deleteFrom('admin_factors').execute()
  assert.equal(await factors.isEnrolled(ROOT.id), true)
  assert.equal(await factors.isEnrolled(EVE.id), false)
  await assert.rejects(enrol(ROOT, HERE), { code: 'forbidden' })
  await assert.rejects(remove(ROOT, next(secret), HERE), WRONG)
  await db.updateTable('agent_actions').set({ action: 'remove-totp' }).execute()
  assert.equal(await factors.isEnrolled(ROOT.id), true, 'what nobody has sealed takes nothing away')
})

test('an enrolment is found behind many later actions; a gap counts as one, unless it was read before it was made', async () => {
  await using opened = await openFactors()
  const { db, clock, secrets, factors, enrolled } = opened
  await enrolled(ROOT)
  await db.deleteFrom('admin_factors').execute()
  const context = circumstances(ANYBODY, { client: HERE, via: 'rest' }, clock.now())
  // More than the store reads at once.
  const many = Array.from({ length: 1_000 }, () => 'revoke' as const)
  await db.transaction().execute((transaction) => recordActions(transaction, secrets, 'agt_1', many, context))
  assert.equal(await factors.isEnrolled(ROOT.id), true, 'the enrolment is the oldest')
  assert.equal(await factors.isEnrolled(EVE.id), false, 'everything is there, and nothing of hers')
  const { no } = await db
    .selectFrom('agent_actions')
    .select('no')
    .where('action', '=', 'revoke')
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('agent_actions')
    .where('no', '=', no + 100)
    .execute()
  const restarted = sqlAdminFactors({ db, secrets })
  const reading = restarted.isEnrolled(EVE.id)
  assert((await turnsDuring(reading)) > 2, 'requests are served meanwhile')
  assert.equal(await reading, true, 'what is missing may have been hers')
  assert.equal(await factors.isEnrolled(EVE.id), false, 'what was read once is not read again')
  await db.transaction().execute((transaction) => recordActions(transaction, secrets, 'agt_1', many, context))
  assert.equal(await factors.isEnrolled(EVE.id), false, 'only what was added is read')
  const newest = db.selectFrom('agent_actions').select((select) => select.fn.max('no').as('no'))
  await db.deleteFrom('agent_actions').where('no', '=', newest).execute()
  assert.equal(await factors.isEnrolled(EVE.id), true, 'without the action read last, all are read again')
})

test('a sealed secret that was copied to another user or corrupted proves nothing', async () => {
  await using opened = await openFactors()
  const { db, enrolled, remove, next } = opened
  const { secret } = await enrolled(ROOT)
  await enrolled(EVE)
  const row = await db
    .selectFrom('admin_factors')
    .selectAll()
    .where('user_id', '=', ROOT.id)
    .executeTakeFirst()
  const put = (sealed: string) =>
    db.updateTable('admin_factors').set({ sealed }).where('user_id', '=', EVE.id).execute()
  await put(row?.sealed ?? '')
  await assert.rejects(remove(EVE, next(secret), HERE), WRONG)
  await put('broken')
  await assert.rejects(remove(EVE, next(secret), HERE), WRONG)
  await remove(ROOT, next(secret), HERE)
})

test('only admins with a sign-in by mail may have a factor', () => {
  const { session: _, ...withoutSession } = ROOT
  assert.equal(refuseFactor(ROOT), undefined)
  const ofOperator: User = {
    ...ROOT,
    session: { id: 'one', signedInAt: 0, hasFactor: false, issuedBy: 'operator' },
  }
  for (const user of [
    { ...ROOT, role: 'user' as const },
    { ...ROOT, email: undefined },
    withoutSession,
    ofOperator,
  ]) {
    assert.equal(refuseFactor(user)?.code, 'forbidden')
  }
})

test('an admin who signed in without the factor lacks it if it is required or enrolled', async () => {
  await using opened = await openFactors()
  const { factors, enrolled } = opened
  const session = { id: 'one', signedInAt: 0, hasFactor: false, issuedBy: 'sign-in' } as const
  const plain = { ...ROOT, session }
  const { session: _, ...withoutSession } = ROOT
  const optional = lacksFactor({ factors, isRequired: false })
  const required = lacksFactor({ factors, isRequired: true })
  assert.equal(await optional(plain), false)
  assert.equal(await required(plain), true)
  const ofOperator: User = { ...plain, session: { ...session, issuedBy: 'operator' } }
  for (const user of [ROOT, withoutSession, ofOperator, { ...plain, role: 'user' as const }])
    assert.equal(await required(user), false)
  await enrolled(ROOT)
  assert.equal(await optional(plain), true)
  assert.equal(await optional(ROOT), false)
})

test('a proof is either a recovery code or a code of the app, never both', async () => {
  await using opened = await openFactors()
  const { secrets, clock, enrol } = opened
  const { secret } = await enrol(ROOT, HERE)
  const now = clock.now()
  const given = (code: string) => factorProof(otpauthCodes, secrets, { userId: ROOT.id, code, now })
  const ofApp = given(appCode(secret, now))
  assert.equal(ofApp.recoveryDigest, undefined)
  assert.equal(ofApp.stepOf(secret), otpauthCodes.stepAt(now))
  const recovery = given(UNKNOWN_RECOVERY_CODE)
  assert.equal(typeof recovery.recoveryDigest, 'string')
  assert.equal(recovery.stepOf(secret), undefined)
})

test('refusals have `details` with the field `totp`', () => {
  assert.deepEqual(factorMissing().details, [{ field: 'totp', message: 'is required' }])
  assert.deepEqual(factorWrong().details, [{ field: 'totp', message: 'is wrong, used or tried too often' }])
})
