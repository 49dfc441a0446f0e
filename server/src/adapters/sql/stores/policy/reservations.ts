import type { Selectable } from 'kysely'
import type { CountedPart, Reservation, Reservations, ReservedItem } from '#ports/stores/reservations.ts'
import type { Database, Schema } from '../../schema.ts'
import { amount, listOf, number, object, oneOf, optional, text } from '../../stored-shape.ts'
import { useApproval } from './approvals.ts'
import { freeBuilds, keepBuild } from './kept-builds.ts'
import { lockAgent } from './lock-agent.ts'

/** More are not looked for at once. */
const MOST_UNSEEN = 1_000

/** Each method is one transaction. */
export function sqlReservations(db: Database): Reservations {
  return {
    counted: (agentNo, part) => selectCounted(db, agentNo, part),
    reserve: (agentNo, { policyRevision, part, place, approval, kept }) =>
      db.transaction().execute(async (transaction) => {
        const revision = await lockAgent(transaction, agentNo)
        if (revision !== policyRevision) return { kind: 'policy_changed', revision }
        const reservation = place(await selectCounted(transaction, agentNo, part))
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
  agentNo: number,
  { since, epoch }: CountedPart,
): Promise<readonly Reservation[]> {
  const rows = await db
    .selectFrom('reservations')
    .selectAll()
    .where('agent_no', '=', agentNo)
    .where('is_free', '=', 0)
    .where((where) => where.or([where('at', '>', since), where('epoch', '>=', epoch)]))
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map(toReservation)
}

const readItems = listOf<ReservedItem>(
  object<ReservedItem>({
    action: oneOf(['stake', 'unstake', 'withdraw']),
    validatorId: text,
    amount,
    token: optional(object<NonNullable<ReservedItem['token']>>({ id: text, principal: amount })),
    alike: optional(number),
  }),
)

export function toReservation(row: Selectable<Schema['reservations']>): Reservation {
  return {
    id: row.id,
    intentId: row.intent_id,
    at: row.at,
    expiresAt: row.expires_at,
    epoch: row.epoch,
    sender: row.sender ?? undefined,
    items: readItems(JSON.parse(row.items), 'reservations.items'),
    isSeen: row.is_seen !== null,
  }
}

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
