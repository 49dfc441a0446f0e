import type { Selectable, Transaction } from 'kysely'
import type { FactorProof, FactorRecord } from '#ports/factors/admin-factors.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionDetails } from '#ports/stores/agent-actions.ts'
import { lockUser } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'
import { recordActions } from '../agent-actions.ts'
import { assertPersisted } from '../keys/assert-persisted.ts'
import { queueNotice } from '../mail-queue.ts'

type FactorRow = Selectable<Schema['admin_factors']>

export const sealSecret = (secrets: Pick<Secrets, 'seal'>, userId: string, secret: string): string =>
  secrets.seal(JSON.stringify([userId, secret]))

/** Undefined: not sealed by this service, or for another user. */
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

export const selectFactor = (db: Database, userId: string) =>
  db.selectFrom('admin_factors').selectAll().where('user_id', '=', userId)

export const findFactor = (db: Database, userId: string): Promise<FactorRow | undefined> =>
  selectFactor(db, userId).executeTakeFirst()

/** Consumes the code. Of concurrent tries with the same code only one succeeds. */
export async function useFactor(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'open'>,
  userId: string,
  { recoveryDigest, stepOf, newestStep }: FactorProof,
): Promise<boolean> {
  await lockUser(transaction, userId)
  if (recoveryDigest !== undefined) {
    const used = await transaction
      .deleteFrom('recovery_codes')
      .where('digest', '=', recoveryDigest)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    const left = transaction.selectFrom('recovery_codes').selectAll().where('digest', '=', recoveryDigest)
    if (used.numDeletedRows > 0n) await assertPersisted('recovery_codes', left, undefined)
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
  await assertPersisted('admin_factors', selectFactor(transaction, userId), { last_step: step })
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

/** Deletes the factor and its recovery codes. */
export async function dropFactor(transaction: Transaction<Schema>, userId: string): Promise<void> {
  await transaction.deleteFrom('admin_factors').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await assertPersisted('admin_factors', selectFactor(transaction, userId), undefined)
}

export async function recordFactor(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'seal' | 'digest'>,
  userId: string,
  record: FactorRecord,
  details?: ActionDetails,
): Promise<void> {
  await queueNotice(transaction, secrets, record.notice, record.at)
  await recordActions(transaction, secrets, userId, [record.action], record, details)
}
