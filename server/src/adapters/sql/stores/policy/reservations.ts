import type { Transaction } from 'kysely'
import type { CountedPart, Reservation, Reservations } from '#ports/stores/reservations.ts'
import type { Schema } from '../../schema.ts'
import { useApproval } from './approval-changes.ts'
import { keepBuild, releaseBuilds } from './kept-builds.ts'
import { book } from './ledger/booking.ts'
import { countReserved, countWithSums } from './ledger/count-reserved.ts'
import { type LedgerNeeds, openGuard } from './ledger/guard.ts'
import { leavesAt } from './ledger/leaving.ts'
import { ledgerSeal, TamperedError } from './ledger/ledger-seal.ts'
import { movedIn } from './ledger/moved-sums.ts'
import { adoptRows, redateRows, releaseRows } from './ledger/reservation-states.ts'
import { markRowsSeen, moveMark, seenRowsWith } from './ledger/sighted-rows.ts'
import { type AgentLock, withAgentLocked } from './lock-agent.ts'
import { isCounting, toReservation, writeItems } from './reservation-content.ts'
import { unseenIdsOf, unseenSenders } from './unseen-reservations.ts'

/** Each change is one transaction. Methods that depend on a row with a wrong seal refuse. */
export function sqlReservations({ db, inTurn, secrets, logger }: LedgerNeeds & AgentLock): Reservations {
  const seal = ledgerSeal(secrets)
  const guard = openGuard(logger)

  /** The transaction holds the agent's lock, so that nothing changes between the reads. */
  async function lookLocked(
    db: Transaction<Schema>,
    agentNo: number,
    part: CountedPart,
    bookedAt?: number,
  ): Promise<Exclude<Awaited<ReturnType<typeof countWithSums>>, 'unsealed'>> {
    const found = await countWithSums({ db, seal, agentNo }, part, bookedAt)
    if (found !== 'unsealed') return found
    await adoptRows(db, { seal, agentNo })
    return lookLocked(db, agentNo, part, bookedAt)
  }

  const locked = <T>(
    agentNo: number,
    work: (transaction: Transaction<Schema>, revision: number | undefined) => Promise<T>,
  ) => guard(() => withAgentLocked({ db, inTurn }, agentNo, work))

  /** Reads without the lock first, where concurrent changes can look like tampering: then again with it. */
  async function patiently<T>(
    agentNo: number,
    read: () => Promise<T | 'unsealed'>,
    readLocked: (transaction: Transaction<Schema>) => Promise<T>,
  ): Promise<T> {
    const found = await read().catch((error: unknown) => {
      if (error instanceof TamperedError) return 'unsealed' as const
      throw error
    })
    return found === 'unsealed' ? locked(agentNo, readLocked) : found
  }

  return {
    counted: (agentNo, part) =>
      patiently(
        agentNo,
        () => countReserved({ db, seal, agentNo }, part),
        async (transaction) => (await lookLocked(transaction, agentNo, part)).counted,
      ),
    leavesAt: (agentNo, leaving) =>
      patiently(
        agentNo,
        () => leavesAt({ db, seal, agentNo }, leaving),
        (transaction) => leavesAt({ db: transaction, seal, agentNo }, leaving),
      ),
    async unseenIn(agentNo, { spans, senders }) {
      if (senders.length === 0 || spans.length === 0) return []
      const rows = await db
        .selectFrom('reservations')
        .selectAll()
        .where('agent_no', '=', agentNo)
        .where('sender', 'in', senders)
        .where('is_seen', 'is', null)
        .where('state', '=', 'counts')
        .where((where) =>
          where.or(
            spans.map((span) =>
              'since' in span ? where('at', '>', span.since) : where('epoch', '>=', span.epoch),
            ),
          ),
        )
        .orderBy('at')
        .execute()
      return rows.map(toReservation)
    },
    reserve: (agentNo, { policyRevision, part, at, place, approval, kept }) =>
      locked(agentNo, async (transaction, revision) => {
        if (revision !== policyRevision) return { kind: 'policy_changed', revision }
        const { counted, sums } = await lookLocked(transaction, agentNo, part, at)
        const reservation = place(counted)
        if (!reservation) return { kind: 'refused' }
        if (
          approval &&
          !(await useApproval(transaction, { secrets, logger }, agentNo, approval, reservation))
        )
          return { kind: 'not_approved' }
        const row = { ...toRow(agentNo, reservation), later_at: counted.laterAt ?? null }
        const mac = seal.sealReservation(row)
        await transaction
          .insertInto('reservations')
          .values({ ...row, mac })
          .execute()
        const entry = { at: row.at, epoch: row.epoch, moved: movedIn(reservation.items) }
        await book(transaction, { seal, agentNo }, [entry], 1, row.at === at ? sums : undefined)
        if (kept) await keepBuild(transaction, secrets, agentNo, kept)
        return { kind: 'reserved' }
      }),
    dateAnew: (agentNo, latest, now) =>
      locked(agentNo, (transaction) => redateRows(transaction, { seal, agentNo }, { latest, now })),
    async ofIntent(agentNo, intentId) {
      const rows = await db
        .selectFrom('reservations')
        .selectAll()
        .where('agent_no', '=', agentNo)
        .where('intent_id', '=', intentId)
        .execute()
      return rows.map((row) => ({ ...toReservation(row), isReleased: !isCounting(row) }))
    },
    async unseen(sender) {
      const ids = await unseenIdsOf(db, sender)
      if (ids.length === 0) return []
      const rows = await db.selectFrom('reservations').selectAll().where('id', 'in', ids).execute()
      return rows.map((row) => ({ ...toReservation(row), agentNo: row.agent_no }))
    },
    shown: async (agentNo, tokenIds) =>
      (await seenRowsWith(db, { seal, agentNo }, tokenIds)).map(toReservation),
    unseenSenders: (expiresAfter) => unseenSenders(db, expiresAfter),
    async markSeen(agentNo, sightings) {
      if (sightings.length === 0) return
      await locked(agentNo, (transaction) => markRowsSeen(transaction, { seal, agentNo }, sightings))
    },
    moveSighting: (agentNo, fromId, toId) =>
      locked(agentNo, (transaction) => moveMark(transaction, { seal, agentNo }, { fromId, toId })),
    async release(agentNo, ids) {
      if (ids.length === 0) return
      await locked(agentNo, async (transaction) => {
        await adoptRows(transaction, { seal, agentNo })
        await releaseBuilds(transaction, agentNo, await releaseRows(transaction, { seal, agentNo }, ids))
      })
    },
  }
}

function toRow(agentNo: number, { id, intentId, at, expiresAt, epoch, sender, items, isSeen }: Reservation) {
  return {
    id,
    intent_id: intentId,
    agent_no: agentNo,
    at,
    expires_at: expiresAt,
    epoch,
    sender: sender ?? null,
    items: writeItems(items),
    is_free: 0,
    is_seen: isSeen ? 1 : null,
    state: isSeen ? 'seen' : 'counts',
  }
}
