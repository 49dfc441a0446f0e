import { sql } from 'kysely'
import type { CountedPart, Reservation, Reservations } from '#ports/stores/reservations.ts'
import { isPostgres } from '../../engine.ts'
import type { Database } from '../../schema.ts'
import { useApproval } from './approvals.ts'
import { freeBuilds, keepBuild } from './kept-builds.ts'
import { lockAgent } from './lock-agent.ts'
import { type ContentOf, rememberContent, toReservation } from './reservation-content.ts'

/** More are not looked for at once. */
const MOST_UNSEEN = 1_000

/** Each method is one transaction. */
export function sqlReservations(db: Database): Reservations {
  const contentOf = rememberContent()
  return {
    counted: (agentNo, part) => selectCounted(db, contentOf, agentNo, part),
    reserve: (agentNo, { policyRevision, part, place, approval, kept }) =>
      db.transaction().execute(async (transaction) => {
        const revision = await lockAgent(transaction, agentNo)
        if (revision !== policyRevision) return { kind: 'policy_changed', revision }
        const reservation = place(await selectCounted(transaction, contentOf, agentNo, part))
        if (!reservation) return { kind: 'refused' }
        if (approval && !(await useApproval(transaction, agentNo, approval, reservation)))
          return { kind: 'not_approved' }
        await transaction.insertInto('reservations').values(toRow(agentNo, reservation)).execute()
        if (kept) await keepBuild(transaction, agentNo, kept)
        return { kind: 'reserved' }
      }),
    async dateAnew(agentNo, latest, now) {
      await db
        .updateTable('reservations')
        .set({ at: now })
        .where('agent_no', '=', agentNo)
        .where('at', '>', latest)
        .execute()
    },
    async ofIntent(agentNo, intentId) {
      const rows = await db
        .selectFrom('reservations')
        .selectAll()
        .where('agent_no', '=', agentNo)
        .where('intent_id', '=', intentId)
        .execute()
      return rows.map((row) => ({ ...toReservation(row), isFree: row.is_free !== 0 }))
    },
    async unseen(part) {
      const rows = await db
        .selectFrom('reservations')
        .selectAll()
        .where(
          'sender' in part
            ? (where) => where('sender', '=', part.sender)
            : (where) =>
                where.and([where('expires_at', '>', part.expiresAfter), where('sender', 'is not', null)]),
        )
        .where('is_free', '=', 0)
        .where('is_seen', 'is', null)
        .orderBy('expires_at', 'sender' in part ? 'desc' : 'asc')
        .limit(MOST_UNSEEN)
        .execute()
      return rows.map(toReservation)
    },
    async markSeen(ids) {
      if (ids.length === 0) return
      await db.updateTable('reservations').set({ is_seen: 1 }).where('id', 'in', ids).execute()
    },
    async free(agentNo, ids) {
      if (ids.length === 0) return
      await db.transaction().execute(async (transaction) => {
        await lockAgent(transaction, agentNo)
        await transaction
          .updateTable('reservations')
          .set({ is_free: 1 })
          .where('agent_no', '=', agentNo)
          .where('id', 'in', ids)
          .where('is_seen', 'is', null)
          .execute()
        await freeBuilds(transaction, agentNo, ids)
      })
    },
  }
}

async function selectCounted(
  db: Database,
  contentOf: ContentOf,
  agentNo: number,
  { since, epoch }: CountedPart,
): Promise<readonly Reservation[]> {
  const counted = sql`select id, at, is_seen from reservations
    where agent_no = ${agentNo} and is_free = 0 and (at > ${since} or epoch >= ${epoch})
    order by at, id`
  const list = isPostgres(db)
    ? sql<Counted>`select json_agg(json_build_array(id, at, is_seen)) as list from (${counted}) counted`
    : sql<Counted>`select json_group_array(json_array(id, at, is_seen)) as list from (${counted})`
  const rows = toList((await list.execute(db)).rows[0])
  const content = await contentOf(
    db,
    rows.map(([id]) => id),
  )
  return rows.flatMap(([id, at, isSeen]) => {
    const found = content.get(id)
    return found ? [{ ...found, at, isSeen: isSeen !== null }] : []
  })
}

/** One value for all: thousands of rows cost less this way. */
type Counted = { readonly list: unknown }

/** Guaranteed by the statement above; Postgres gives null for no rows, and SQLite a text. */
const toList = (row: Counted | undefined) =>
  (typeof row?.list === 'string' ? JSON.parse(row.list) : (row?.list ?? [])) as readonly (readonly [
    id: string,
    at: number,
    isSeen: number | null,
  ])[]

function toRow(agentNo: number, { id, intentId, at, expiresAt, epoch, sender, items, isSeen }: Reservation) {
  const written = JSON.stringify(items, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return {
    id,
    intent_id: intentId,
    agent_no: agentNo,
    at,
    expires_at: expiresAt,
    epoch,
    sender: sender ?? null,
    items: written,
    is_free: 0,
    is_seen: isSeen ? 1 : null,
  }
}
