import { type Kysely, type Selectable, sql } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { DeliveryAttempt, MailUrgency, Outbox, OutgoingMail, QueuedMail } from '#ports/stores/outbox.ts'
import type { Schema } from '../schema.ts'
import { object, text } from '../stored-shape.ts'

type Needs = { readonly db: Kysely<Schema>; readonly secrets: Pick<Secrets, 'open'> }

/** The longest delay or lease: later dates were written while the clock was ahead, and count as due. */
const FURTHEST_AHEAD_MS = 7_200_000

/** Rows deleted at once. They are deleted after each delivery, which finishes far fewer. */
const MOST_FORGOTTEN = 1_000

/** States of unfinished mails. */
const WAITING: readonly MailUrgency[] = ['urgent', 'queued']
const CLAIMED = ['id', 'sealed', 'created_at', 'attempts'] as const
type ClaimedRow = Pick<Selectable<Schema['outbox']>, (typeof CLAIMED)[number]>

const MAIL = object<OutgoingMail>({ to: text, subject: text, text, html: text })

/** Each method is one statement. Finishing a mail deletes its content. */
export function sqlOutbox({ db, secrets }: Needs): Outbox {
  const ofAttempt = ({ id, attempts }: DeliveryAttempt) =>
    db
      .updateTable('outbox')
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('status', 'in', WAITING)

  return {
    async claim(kind, now, leaseUntil, limit) {
      const isDue = (column: 'due_at' | 'leased_until') =>
        sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + FURTHEST_AHEAD_MS})`
      const isFree = sql<boolean>`(leased_until is null or ${isDue('leased_until')})`
      const rows = await db
        .updateTable('outbox')
        .set((row) => ({ leased_until: leaseUntil, attempts: row('attempts', '+', 1) }))
        .where('id', 'in', (query) =>
          query
            .selectFrom('outbox')
            .select('id')
            .where('status', '=', kind)
            .where(isDue('due_at'))
            .where(isFree)
            .orderBy('due_at')
            .orderBy('id')
            .limit(limit),
        )
        // Checked again, because another instance may have leased the rows since they were selected.
        .where('status', '=', kind)
        .where(isFree)
        .returning(CLAIMED)
        .execute()
      return rows.map((row) => toQueuedMail(row, secrets)).sort((a, b) => a.id - b.id)
    },
    async delivered({ id }) {
      await db
        .updateTable('outbox')
        .set({ status: 'delivered', sealed: null, leased_until: null })
        .where('id', '=', id)
        .execute()
    },
    async retry(attempt, retryAt) {
      await ofAttempt(attempt).set({ due_at: retryAt, leased_until: null }).execute()
    },
    async giveUp(attempt) {
      await ofAttempt(attempt).set({ status: 'given_up', sealed: null, leased_until: null }).execute()
    },
    async forgetFinished(createdBefore) {
      const finished = db
        .selectFrom('outbox')
        .select('id')
        .where('status', 'in', ['delivered', 'given_up'])
        .where('created_at', '<', createdBefore)
        .limit(MOST_FORGOTTEN)
      await db.deleteFrom('outbox').where('id', 'in', finished).execute()
    },
  }
}

function toQueuedMail(row: ClaimedRow, secrets: Needs['secrets']): QueuedMail {
  return { id: row.id, attempts: row.attempts, createdAt: row.created_at, mail: unseal(row.sealed, secrets) }
}

function unseal(sealed: string | null, secrets: Needs['secrets']): OutgoingMail | undefined {
  if (sealed === null) return undefined
  try {
    return MAIL(JSON.parse(secrets.open(sealed)), 'mail')
  } catch {
    return undefined
  }
}
