import type { Selectable, Transaction } from 'kysely'
import type { FactorProof, FactorRecord } from '#ports/factors/admin-factors.ts'
import type { Secrets } from '#ports/secrets.ts'
import { lockAddress } from '../../engine.ts'
import type { Database, Schema } from '../../schema.ts'
import { actionMac, recordActions } from '../agent-actions.ts'
import { queueNotice } from '../mail-queue.ts'

export type FactorRow = Selectable<Schema['admin_factors']>

export const sealSecret = (secrets: Pick<Secrets, 'seal'>, userId: string, secret: string): string =>
  secrets.seal(JSON.stringify([userId, secret]))

/** Undefined for what was not sealed here, or for another user. */
export function openSecret(
  secrets: Pick<Secrets, 'open'>,
  { sealed, user_id }: FactorRow,
): string | undefined {
  try {
    const [userId, secret]: unknown[] = JSON.parse(secrets.open(sealed))
    return userId === user_id && typeof secret === 'string' ? secret : undefined
  } catch {
    return undefined
  }
}

export function findFactor(db: Database, userId: string): Promise<FactorRow | undefined> {
  return db.selectFrom('admin_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

const ENROLMENTS = ['enrol-totp', 'remove-totp', 'reset-totp']

/**
 * The log of actions is believed beside the row: it is sealed, so that who can write the database cannot take a factor
 * away by removing its row alone, nor by an action that was never taken.
 */
export async function isEnrolled(
  db: Database,
  secrets: Pick<Secrets, 'digest'>,
  userId: string,
): Promise<boolean> {
  const row = await findFactor(db, userId)
  if (row && row.confirmed_at !== null) return true
  const actions = await db
    .selectFrom('agent_actions')
    .selectAll()
    .where('agent_id', '=', userId)
    .where('action', 'in', ENROLMENTS)
    .orderBy('no', 'desc')
    .execute()
  const newest = actions.find(({ no: _, mac, ...content }) => actionMac(secrets, content) === mac)
  return newest?.action === 'enrol-totp'
}

/** Uses up the code. Of several tries at once with the same code one gets it. */
export async function useFactor(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'open'>,
  userId: string,
  { recoveryDigest, stepOf, newestStep }: FactorProof,
): Promise<boolean> {
  await lockAddress(transaction, userId)
  if (recoveryDigest !== undefined) {
    const used = await transaction
      .deleteFrom('recovery_codes')
      .where('digest', '=', recoveryDigest)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return used.numDeletedRows > 0n
  }
  const row = await findFactor(transaction, userId)
  const secret = row && row.confirmed_at !== null ? openSecret(secrets, row) : undefined
  const step = secret === undefined ? undefined : stepOf(secret)
  if (!row || step === undefined || (step <= row.last_step && row.last_step <= newestStep)) return false
  await transaction
    .updateTable('admin_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .execute()
  return true
}

export async function replaceRecoveryCodes(
  transaction: Transaction<Schema>,
  userId: string,
  digests: readonly string[],
): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await transaction
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ digest, user_id: userId })))
    .execute()
}

/** The factor and its recovery codes. */
export async function dropFactor(transaction: Transaction<Schema>, userId: string): Promise<void> {
  await transaction.deleteFrom('admin_factors').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function recordFactor(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'seal' | 'digest'>,
  userId: string,
  record: FactorRecord,
): Promise<void> {
  await queueNotice(transaction, secrets, record.notice, record.at)
  await recordActions(transaction, secrets, userId, [record.action], record)
}
