import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../schema.ts'

/**
 * Reservations that count and have not been seen on the chain yet. Beyond the limit agents take turns, so that an
 * agent with a thousand of them does not crowd out the others.
 */

/** Most rows of one query. */
const MOST = 1_000

const IS_UNSEEN = sql`state = 'counts'`

/** Ids of a sender's reservations, the newest of each agent first. */
export async function unseenIdsOf(db: Kysely<Schema>, sender: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, row_number() over (partition by agent_no order by expires_at desc, id) as place
      from reservations where sender = ${sender} and ${IS_UNSEEN}) as ranked
    order by place, id limit ${MOST}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Senders whose transactions may still be executed, the first of each agent to expire first. */
export async function unseenSenders(db: Kysely<Schema>, expiresAfter: number): Promise<readonly string[]> {
  const { rows } = await sql<{ sender: string }>`
    select sender from (
      select sender, first, row_number() over (partition by agent_no order by first, sender) as place
      from (
        select agent_no, sender, min(expires_at) as first from reservations
        where expires_at > ${expiresAfter} and sender is not null and ${IS_UNSEEN}
        group by agent_no, sender) as senders) as ranked
    order by place, first, sender limit ${MOST}`.execute(db)
  return [...new Set(rows.map(({ sender }) => sender))]
}
