import type { Transaction } from 'kysely'
import type { AdminFactors, ProvenChange, ProvenOutcome } from '#ports/factors/admin-factors.ts'
import type { Secrets } from '#ports/secrets.ts'
import { DAY_MS } from '../../../../durations.ts'
import { lockUser } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'
import { recordActions } from '../agent-actions.ts'
import { assertPersisted } from '../keys/assert-persisted.ts'
import { type Enrolments, openEnrolments } from './enrolments.ts'
import {
  dropFactor,
  findFactor,
  openSecret,
  recordFactor,
  replaceRecoveryCodes,
  sealSecret,
  selectFactor,
  useFactor,
} from './factor-rows.ts'
import { countFactorTry, mayTry } from './factor-tries.ts'

type Needs = { readonly db: Database; readonly secrets: Pick<Secrets, 'seal' | 'open' | 'digest'> }
type Confirmation = Parameters<AdminFactors['confirm']>[0]

/** Each change is one transaction, serialised per user by a lock. */
export function sqlAdminFactors({ db, secrets }: Needs): AdminFactors {
  const enrolments = openEnrolments(secrets)
  const { isEnrolled } = enrolments
  const needs = { secrets, isEnrolled }
  async function change<Outcome>(
    userId: string,
    work: (transaction: Transaction<Schema>) => Promise<Outcome>,
  ): Promise<Outcome> {
    await enrolments.readAhead(db)
    return db.transaction().execute(async (transaction) => {
      await lockUser(transaction, userId)
      return work(transaction)
    })
  }
  return {
    async find(userId) {
      const row = await findFactor(db, userId)
      if (!row || row.confirmed_at === null) return undefined
      const codes = await db
        .selectFrom('recovery_codes')
        .select((select) => select.fn.countAll<number>().as('left'))
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return { confirmedAt: row.confirmed_at, recoveryCodesLeft: Number(codes?.left ?? 0) }
    },
    isEnrolled: (userId) => isEnrolled(db, userId),
    begin: ({ userId, secret, record }) =>
      change(userId, async (transaction) => {
        if (await isEnrolled(transaction, userId)) return false
        const row = { sealed: sealSecret(secrets, userId, secret), created_at: record.at }
        await transaction
          .insertInto('admin_factors')
          .values({ user_id: userId, ...row, confirmed_at: null, last_step: 0 })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
          .execute()
        await assertPersisted('admin_factors', selectFactor(transaction, userId), row)
        await recordActions(transaction, secrets, userId, [record.action], record)
        return true
      }),
    confirm: (confirmation) =>
      change(confirmation.userId, (transaction) => confirmFactor(transaction, secrets, confirmation)),
    remove: (proven) =>
      change(proven.userId, (transaction) =>
        changeProven(transaction, needs, proven, () => dropFactor(transaction, proven.userId)),
      ),
    renewRecoveryCodes: (proven, recoveryDigests) =>
      change(proven.userId, (transaction) =>
        changeProven(transaction, needs, proven, () =>
          replaceRecoveryCodes(transaction, proven.userId, recoveryDigests),
        ),
      ),
    reset: (userId, record) =>
      change(userId, async (transaction) => {
        if (!(await isEnrolled(transaction, userId))) return false
        await dropFactor(transaction, userId)
        await endSessions(transaction, userId)
        await recordFactor(transaction, secrets, userId, record)
        return true
      }),
  }
}

async function confirmFactor(
  transaction: Transaction<Schema>,
  secrets: Needs['secrets'],
  { userId, begunSince, stepOf, recoveryDigests, record }: Confirmation,
): Promise<'confirmed' | 'wrong' | 'not_begun'> {
  const row = await findFactor(transaction, userId)
  if (!row || row.confirmed_at !== null || row.created_at <= begunSince) return 'not_begun'
  const secret = openSecret(secrets, row)
  const step = secret === undefined ? undefined : stepOf(secret)
  if (step === undefined) return 'wrong'
  await transaction
    .updateTable('admin_factors')
    .set({ confirmed_at: record.at, last_step: step })
    .where('user_id', '=', userId)
    .execute()
  await assertPersisted('admin_factors', selectFactor(transaction, userId), { confirmed_at: record.at })
  await replaceRecoveryCodes(transaction, userId, recoveryDigests)
  await endSessions(transaction, userId)
  await recordFactor(transaction, secrets, userId, record)
  return 'confirmed'
}

/** Makes a change after a proof of the factor. Wrong proofs for different changes share one count. */
async function changeProven(
  transaction: Transaction<Schema>,
  { secrets, isEnrolled }: Pick<Needs, 'secrets'> & Pick<Enrolments, 'isEnrolled'>,
  { userId, sessionId, networkDigest, proof, tries, now, done, refused }: ProvenChange,
  work: () => Promise<void>,
): Promise<ProvenOutcome> {
  if (!(await isEnrolled(transaction, userId))) return 'not_enrolled'
  const attempt = { subject: sessionId, networkDigest, isStranger: false, expiresAt: now + DAY_MS }
  if (!(await mayTry(transaction, attempt, tries))) return 'wrong'
  if (await useFactor(transaction, secrets, userId, proof)) {
    await work()
    await recordFactor(transaction, secrets, userId, done)
    return 'done'
  }
  await countFactorTry(transaction, attempt)
  await recordFactor(transaction, secrets, userId, refused)
  return 'wrong'
}

async function endSessions(transaction: Transaction<Schema>, userId: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute()
  const left = transaction.selectFrom('sessions').select('id').where('user_id', '=', userId).limit(1)
  await assertPersisted('sessions', left, undefined)
}
