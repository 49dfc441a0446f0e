import type { Kysely, Selectable } from 'kysely'
import type { OutgoingMail } from '#ports/agents.ts'
import type { Claim, Outbox, QueuedMail } from '#ports/outbox.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Schema } from '../schema.ts'
import { object, text } from '../stored-shape.ts'

type Needs = { readonly db: Kysely<Schema>; readonly secrets: Pick<Secrets, 'open'> }

const CLAIMED = ['id', 'sealed', 'created_at', 'attempts'] as const
type ClaimedRow = Pick<Selectable<Schema['outbox']>, (typeof CLAIMED)[number]>

const MAIL = object<OutgoingMail>({ to: text, subject: text, text, html: text })

/** Each method is one statement. The content of a mail leaves the table when the mail is finished. */
export function sqlOutbox({ db, secrets }: Needs): Outbox {
  const ofClaim = ({ id, attempts }: Claim) =>
    db
      .updateTable('outbox')
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('status', '=', 'queued')

  return {
    async claim(now, leaseUntil, limit) {
      const rows = await db
        .updateTable('outbox')
        .set((row) => ({ leased_until: leaseUntil, attempts: row('attempts', '+', 1) }))
        .where('id', 'in', (query) =>
          query
            .selectFrom('outbox')
            .select('id')
            .where('status', '=', 'queued')
            .where('due_at', '<=', now)
            .where((free) => free.or([free('leased_until', 'is', null), free('leased_until', '<=', now)]))
            .orderBy('due_at')
            .orderBy('id')
            .limit(limit),
        )
        // Looked at again here, because the rows may have changed hands since they were chosen.
        .where('status', '=', 'queued')
        .where((free) => free.or([free('leased_until', 'is', null), free('leased_until', '<=', now)]))
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
    async retry(claim, retryAt) {
      await ofClaim(claim).set({ due_at: retryAt, leased_until: null }).execute()
    },
    async giveUp(claim) {
      await ofClaim(claim).set({ status: 'given_up', sealed: null, leased_until: null }).execute()
    },
    async forgetFinished(createdBefore) {
      await db
        .deleteFrom('outbox')
        .where('status', 'in', ['delivered', 'given_up'])
        .where('created_at', '<', createdBefore)
        .execute()
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
