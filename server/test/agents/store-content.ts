/** What the tables say, read as the admission of requests and the delivery of mails read them. */

import type { Kysely } from 'kysely'
import type { Schema } from '#adapters/sql/schema.ts'
import type { OutgoingMail } from '#ports/agents.ts'
import type { Secrets } from '#ports/secrets.ts'

/** Whether a request with the key would be let in: the agent is active, and the key its present one or in its grace. */
export async function keyWorks(db: Kysely<Schema>, digest: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('agent_keys')
    .innerJoin('agents', 'agents.no', 'agent_keys.agent_no')
    .select('agents.id')
    .where('agent_keys.digest', '=', digest)
    .where('agents.status', '=', 'active')
    .where((where) => where.or([where('valid_until', 'is', null), where('valid_until', '>', now)]))
    .executeTakeFirst()
  return row !== undefined
}

/** The queued mails, oldest first. */
export async function mailsIn(
  db: Kysely<Schema>,
  secrets: Pick<Secrets, 'open'>,
): Promise<readonly OutgoingMail[]> {
  const rows = await db.selectFrom('outbox').select('sealed').orderBy('id').execute()
  return rows.map(({ sealed }) => toMail(secrets.open(sealed ?? '')))
}

/** Guaranteed by the store under test: it seals mails, and nothing but mails. */
function toMail(json: string): OutgoingMail {
  return JSON.parse(json) as OutgoingMail
}
