import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { CodeAttempt, CodeIssue, Familiarity } from '#ports/stores/users.ts'
import { active } from '../../../../../test/contracts/suites/sample-agents.ts'
import { codeFor, mailTo, NOW } from '../../../../../test/contracts/suites/sample-codes.ts'
import { signInCodesSuite } from '../../../../../test/contracts/suites/sign-in-codes.ts'
import { openSqliteOfFile } from '../../../../../test/support/sqlite-of-file.ts'
import { DAY_MS } from '../../../../durations.ts'
import { openSecrets } from '../../../system/system-secrets.ts'
import { sqlAgents } from '../agents.ts'
import { sqlOutbox } from '../outbox.ts'
import { sealSecret } from './factor-rows.ts'
import { rememberNetwork } from './proven-networks.ts'
import { sqlSignInCodes } from './sign-in-codes.ts'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const { db } = await openSqliteOfFile()
const codes = sqlSignInCodes({ db, secrets })
const outbox = sqlOutbox({ db, secrets })

/** One store for all tests, emptied for each: opening a store takes longer than a test. */
async function openEmptied() {
  for (const table of ['mailed_codes', 'code_tries', 'proven_networks', 'outbox', 'mail_counts'] as const)
    await db.deleteFrom(table).execute()
  await db.deleteFrom('registration_hits').execute()
  return { codes, outbox, async [Symbol.asyncDispose]() {} }
}

signInCodesSuite('SQLite, one store', openEmptied)

type Budget = { readonly limit: number; readonly resendAfterMs: number | undefined }

const OPEN: Budget = { limit: 1_000, resendAfterMs: undefined }
const SHUT: Budget = { limit: 0, resendAfterMs: undefined }
const REMEMBERED_MS = 90 * DAY_MS

const budgetOf = ({ limit, resendAfterMs }: Budget, now: number) => ({
  cap: { key: randomUUID(), limit, since: now - DAY_MS, now },
  resendAfterMs,
})
const budgets = (now: number, open: Partial<Record<Familiarity, Budget>>) => ({
  familiar: budgetOf(open.familiar ?? SHUT, now),
  known: budgetOf(open.known ?? SHUT, now),
  unknown: budgetOf(open.unknown ?? SHUT, now),
})

const queued = async (urgency: 'urgent' | 'queued') =>
  (await outbox.claim(urgency, NOW * 2, NOW * 2, 1_000)).length

async function isMailed(email: string, change: Partial<CodeIssue>): Promise<boolean> {
  await db.deleteFrom('outbox').execute()
  await codes.issue(codeFor(email, change))
  return (await queued('urgent')) + (await queued('queued')) > 0
}

/** The familiarity that the store assigns to the address: the kind whose budget decides about the mail. */
async function kindOf(email: string, change: Partial<CodeIssue> = {}): Promise<readonly Familiarity[]> {
  const kinds: Familiarity[] = []
  for (const kind of ['familiar', 'known', 'unknown'] as const)
    if (await isMailed(email, { ...change, budgets: budgets(change.now ?? NOW, { [kind]: OPEN }) }))
      kinds.push(kind)
  return kinds
}

const proven = (email: string, networkDigest: string, now = NOW) =>
  db
    .transaction()
    .execute((transaction) =>
      rememberNetwork(transaction, { addressDigest: `address of ${email}`, networkDigest, now }),
    )

test('an address is familiar from networks that it was proven from in the last 90 days, and known from others', async () => {
  await openEmptied()
  await proven('ann', 'home')
  await proven('bob', 'office')
  assert.deepEqual(await kindOf('ann'), ['familiar'])
  assert.deepEqual(await kindOf('ann', { networkDigest: 'office' }), ['known'])
  assert.deepEqual(await kindOf('eve'), ['unknown'])
  assert.deepEqual(await kindOf('ann', { now: NOW + REMEMBERED_MS - 1 }), ['familiar'])
  assert.deepEqual(await kindOf('ann', { networkDigest: 'office', now: NOW + REMEMBERED_MS - 1 }), ['known'])
  assert.deepEqual(await kindOf('ann', { now: NOW + REMEMBERED_MS }), ['unknown'])
  await proven('ann', 'home', NOW + 1)
  assert.deepEqual(await kindOf('ann', { now: NOW + REMEMBERED_MS }), ['familiar'])
})

test('an admin and the owner of a verified agent are known, and their mails are urgent', async () => {
  await openEmptied()
  await sqlAgents({ db, secrets }).register(active('agt_sign_in', { owner: 'owner' }), undefined)
  assert.deepEqual(await kindOf('owner'), ['known'])
  assert.deepEqual(await kindOf('admin', { isAdmin: true }), ['known'])
  for (const [email, urgent] of [
    ['owner', 1],
    ['stranger', 0],
  ] as const) {
    await db.deleteFrom('outbox').execute()
    await codes.issue(codeFor(email))
    assert.deepEqual([await queued('urgent'), await queued('queued')], [urgent, 1 - urgent], email)
  }
})

test('beyond a limit of its network only a familiar address without a recent code gets one', async () => {
  await openEmptied()
  await proven('ann', 'home')
  await proven('bob', 'office')
  const window = { windowStart: NOW, windowEnd: NOW + 1, latestStart: NOW }
  const limits = [{ name: 'ip-hour', key: 'home', ...window, limit: 0 }] as const
  const wide = { familiar: OPEN, known: { limit: 0, resendAfterMs: DAY_MS }, unknown: OPEN }
  const beyond = { limits, budgets: budgets(NOW, wide) }
  assert.equal(await isMailed('bob', beyond), false)
  assert.equal(await isMailed('eve', beyond), false)
  assert.equal(await isMailed('ann', beyond), true)
  assert.equal(await isMailed('ann', beyond), false)
  const always = { limits, budgets: budgets(NOW, { known: OPEN }) }
  assert.equal(await isMailed('ann', always), true)
})

const redeem = (email: string, digest: string, change: Partial<CodeAttempt> = {}) => {
  const now = change.now ?? NOW
  const actor = { kind: 'user', id: email, role: 'user' } as const
  const record = { action: 'sign-in', at: now, actor, truncatedAddress: '', via: 'rest' } as const
  const times = { createdAt: now, expiresAt: now + 1 }
  const mail = mailTo('notice')
  return codes.redeem(
    {
      kind: 'code',
      digest,
      addressDigest: `address of ${email}`,
      networkDigest: 'home',
      now,
      tries: { perNetwork: 5, byStrangers: 5 },
      newNetworkNotice: { mail, lastMail: mail, mailCaps: [] },
      ...change,
    },
    {
      session: { id: randomUUID(), userId: email, issuedBy: 'sign-in', truncatedAddress: '', ...times },
      record,
      most: 9,
    },
  )
}

test('the first sign-in from a network that was not proven is notified, and no other', async () => {
  await openEmptied()
  await proven('bob', 'office')
  const notices = async (networkDigest: string, now: number) => {
    await codes.issue(codeFor('ann', { now, code: { digest: 'right', expiresAt: now + 9 } }))
    await db.deleteFrom('outbox').execute()
    assert.equal(await redeem('ann', 'right', { networkDigest, now }), 'right')
    return (await queued('urgent')) + (await queued('queued'))
  }
  assert.equal(await notices('home', NOW), 0, 'the first of all')
  assert.equal(await notices('home', NOW + 1), 0)
  assert.equal(await notices('office', NOW + 1), 1)
  assert.equal(await notices('office', NOW + 2), 0)
  assert.equal(await notices('cafe', NOW + 1 + REMEMBERED_MS), 1, 'the office is still remembered')
  const later = NOW + 1 + 3 * REMEMBERED_MS
  assert.equal(await notices('home', later), 0, 'nothing is remembered')
  assert.equal(await notices('office', later + REMEMBERED_MS), 0, 'forgotten at this very moment')
})

test('with one try per network, a wrong try uses it up', async () => {
  await openEmptied()
  const once = { tries: { perNetwork: 1, byStrangers: 5 } }
  await codes.issue(codeFor('ann', { code: { digest: 'right', expiresAt: NOW + 9 } }))
  assert.equal(await redeem('ann', 'wrong', once), 'wrong')
  assert.equal(await redeem('ann', 'right', once), 'wrong')
  await codes.issue(codeFor('bob', { code: { digest: 'right', expiresAt: NOW + 9 } }))
  assert.equal(await redeem('bob', 'right', once), 'right')
})

test('using a code deletes the tries at it, and not those at another code', async () => {
  await openEmptied()
  for (const digest of ['one', 'other'])
    await codes.issue(codeFor('ann', { code: { digest, expiresAt: NOW + 9 } }))
  for (let count = 0; count < 4; count += 1) assert.equal(await redeem('ann', 'wrong'), 'wrong')
  assert.equal(await redeem('ann', 'one'), 'right')
  const left = await db.selectFrom('code_tries').select('tries').execute()
  assert.deepEqual(
    left.map(({ tries }) => tries),
    [5],
  )
  assert.equal(await redeem('ann', 'other'), 'wrong')
})

const factorRecord = (action: 'use-recovery-code' | 'refuse-totp') => ({
  action,
  at: NOW,
  actor: { kind: 'user', id: 'root', role: 'admin' } as const,
  truncatedAddress: '',
  via: 'rest' as const,
  notice: { mail: mailTo('root'), lastMail: mailTo('root'), mailCaps: [] },
})

/** Steps increase, because each code of an app works once. */
let step = 0
const factorWith = (proof: 'app' | 'recovery' | 'wrong' | undefined) => ({
  userId: 'root',
  tries: 3,
  recovered: factorRecord('use-recovery-code'),
  refused: factorRecord('refuse-totp'),
  proof: proof && {
    recoveryDigest: proof === 'recovery' ? 'recovery' : undefined,
    newestStep: Number.MAX_SAFE_INTEGER,
    stepOf: () => {
      step += 1
      return proof === 'app' ? step : undefined
    },
  },
})

async function openEnrolled() {
  await openEmptied()
  for (const table of ['admin_factors', 'recovery_codes', 'factor_tries'] as const)
    await db.deleteFrom(table).execute()
  const row = { user_id: 'root', sealed: sealSecret(secrets, 'root', 'secret'), last_step: 0 }
  await db
    .insertInto('admin_factors')
    .values({ ...row, created_at: NOW, confirmed_at: NOW })
    .execute()
  await db.insertInto('recovery_codes').values({ digest: 'recovery', user_id: 'root' }).execute()
}

const issueTo = (long: string, digest = 'right') =>
  codes.issue(
    codeFor('root', {
      code: { digest, expiresAt: NOW + 9 },
      longCode: { digest: long, expiresAt: NOW + 9 },
    }),
  )

const actionsOf = async (action: string) =>
  (await db.selectFrom('agent_actions').select('no').where('action', '=', action).execute()).length

test('an admin needs the second factor, and only a recovery code is recorded as used', async () => {
  await openEnrolled()
  await issueTo('long')
  assert.equal(await redeem('root', 'right', { factor: factorWith(undefined) }), 'factor_missing')
  assert.equal(await redeem('root', 'right', { factor: factorWith('app') }), 'right_with_factor')
  assert.equal(await actionsOf('use-recovery-code'), 0)
  await issueTo('long')
  assert.equal(await redeem('root', 'right', { factor: factorWith('recovery') }), 'right_with_factor')
  assert.equal(await actionsOf('use-recovery-code'), 1)
  await issueTo('long')
  assert.equal(await redeem('root', 'right', { factor: factorWith('recovery') }), 'factor_wrong')
})

test('wrong factors use up the tries of their network, or those shared by all unfamiliar networks', async () => {
  await openEnrolled()
  await proven('root', 'office')
  const wrongFrom = (networkDigest: string) =>
    redeem('root', 'long', { kind: 'long_code', networkDigest, factor: factorWith('wrong') })
  const rightFrom = (networkDigest: string) =>
    redeem('root', 'long', { kind: 'long_code', networkDigest, factor: factorWith('app') })
  for (const [exhausted, unused] of [
    [['home', 'home', 'home'], 'office'],
    [['office', 'office', 'office'], 'home'],
    [['a', 'b', 'c'], 'home'],
    [['home', 'home', 'home'], 'a'],
  ] as const) {
    await db.deleteFrom('factor_tries').execute()
    await db.deleteFrom('proven_networks').where('network_digest', '!=', 'office').execute()
    await issueTo('long')
    for (const network of exhausted) assert.equal(await wrongFrom(network), 'factor_wrong')
    assert.equal(await rightFrom(exhausted[0]), 'factor_wrong', `${exhausted} is exhausted`)
    if (exhausted[0] === 'a') assert.equal(await rightFrom('d'), 'factor_wrong', 'all strangers')
    assert.equal(await rightFrom(unused), 'right_with_factor', `${unused} after ${exhausted}`)
  }
})
