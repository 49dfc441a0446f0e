import type { Database } from '#adapters/sql/schema.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { OutgoingMail } from '#ports/stores/outbox.ts'

/** The queued mails, oldest first, opened as their delivery opens them. */
export async function queuedMails(
  db: Database,
  secrets: Pick<Secrets, 'open'>,
): Promise<readonly OutgoingMail[]> {
  const rows = await db.selectFrom('outbox').select('sealed').orderBy('id').execute()
  return rows.map(({ sealed }) => toMail(secrets.open(sealed ?? '')))
}

/** The cast holds because the outbox of the store under test has only mails. */
function toMail(json: string): OutgoingMail {
  return JSON.parse(json) as OutgoingMail
}
