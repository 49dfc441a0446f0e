import type { Database } from '#adapters/sql/schema.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { OutgoingMail } from '#ports/stores/outbox.ts'

/** The queued mails, oldest first, read as their delivery reads them. */
export async function queuedMails(
  db: Database,
  secrets: Pick<Secrets, 'open'>,
): Promise<readonly OutgoingMail[]> {
  const rows = await db.selectFrom('outbox').select('sealed').orderBy('id').execute()
  return rows.map(({ sealed }) => toMail(secrets.open(sealed ?? '')))
}

/** Guaranteed by the store under test: it seals mails, and nothing but mails. */
function toMail(json: string): OutgoingMail {
  return JSON.parse(json) as OutgoingMail
}
