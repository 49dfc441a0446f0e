import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { NewSession, Session, Sessions } from '#ports/stores/sessions.ts'
import { lockUser } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'
import { recordActions } from '../agent-actions.ts'
import { assertPersisted } from '../keys/assert-persisted.ts'

/** Adds and records a session. */
export async function insertSession(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  { session, record, most }: NewSession,
): Promise<void> {
  const { id, userId, issuedBy, truncatedAddress, createdAt, expiresAt } = session
  // Serialised with changes that end all sessions of the user: they must see this one.
  await lockUser(transaction, userId)
  await transaction
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      issued_by: issuedBy === 'operator' ? issuedBy : null,
      address: truncatedAddress,
      created_at: createdAt,
      expires_at: expiresAt,
    })
    .execute()
  await endOldest(transaction, session, most)
  await recordActions(transaction, secrets, userId, [record.action], record, { session: id })
}

const ENDED_AT_ONCE = 1_000

/** A list of sessions has all open ones, so their number is limited. */
async function endOldest(
  transaction: Transaction<Schema>,
  { id, userId, createdAt }: Session,
  most: number,
): Promise<void> {
  const beyond = transaction
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '!=', id)
    .where('expires_at', '>', createdAt)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(most - 1)
    .limit(ENDED_AT_ONCE)
  await transaction.deleteFrom('sessions').where('id', 'in', beyond).execute()
}

export function sqlSessions(db: Database, secrets: Pick<Secrets, 'digest'>): Sessions {
  return {
    begin: (begins) => db.transaction().execute((transaction) => insertSession(transaction, secrets, begins)),
    async isOpen(id, userId, now) {
      const row = await db
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row !== undefined
    },
    async list(userId, now) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toSession)
    },
    end: (id, userId, now, record) =>
      db.transaction().execute(async (transaction) => {
        const open = transaction
          .selectFrom('sessions')
          .select('id')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('expires_at', '>', now)
        const ended = await transaction
          .deleteFrom('sessions')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('expires_at', '>', now)
          .returning('id')
          .executeTakeFirst()
        await assertPersisted('sessions', open, undefined)
        if (!ended) return false
        await recordActions(transaction, secrets, userId, [record.action], record, { session: id })
        return true
      }),
  }
}

const toSession = (row: Schema['sessions']): Session => ({
  id: row.id,
  userId: row.user_id,
  issuedBy: row.issued_by === 'operator' ? 'operator' : 'sign-in',
  truncatedAddress: row.address,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
