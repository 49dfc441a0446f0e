import type { Transaction } from 'kysely'
import type { Reservations, ReserveOutcome, ReserveTerms } from '#ports/stores/reservations.ts'
import { Fault } from '../../../../fault.ts'
import type { Database, Schema } from '../../schema.ts'
import { inBatches } from './in-batches.ts'
import { releaseBuilds } from './kept-builds.ts'
import { readLedger } from './ledger/count-reserved.ts'
import { type LedgerNeeds, openGuard } from './ledger/guard.ts'
import { leavesAt } from './ledger/leaving.ts'
import { ledgerSeal, TamperedError } from './ledger/ledger-seal.ts'
import { redateRows, releaseRows } from './ledger/reservation-states.ts'
import { markRowsSeen, moveMark, seenRowsWith } from './ledger/sighted-rows.ts'
import { type AgentLock, lockAgent, withAgentLocked } from './lock-agent.ts'
import { isCounting, toReservation } from './reservation-content.ts'
import { reserveAll } from './reserve-all.ts'
import { unseenIdsOf, unseenSenders } from './unseen-reservations.ts'

/** Each change is one transaction. Methods that depend on a row with a wrong seal refuse. */
export function sqlReservations({
  db,
  queueByAgent,
  secrets,
  logger,
}: LedgerNeeds & AgentLock): Reservations {
  const seal = ledgerSeal(secrets)
  const guard = openGuard(logger)

  const locked = <T>(
    agentNo: number,
    work: (transaction: Transaction<Schema>, revision: number | undefined) => Promise<T>,
  ) => guard(() => withAgentLocked({ db, queueByAgent }, agentNo, work))

  /** Reads without the lock first. Concurrent changes can look like tampering: if so, reads again with it. */
  async function readThenLock<T>(agentNo: number, read: (db: Database) => Promise<T>): Promise<T> {
    try {
      return await read(db)
    } catch (error) {
      if (error instanceof TamperedError) return locked(agentNo, read)
      throw error
    }
  }

  const needs = { seal, secrets, logger }
  const reserveInBatches = inBatches<ReserveTerms, ReserveOutcome>(queueByAgent, (agentNo, batch) =>
    db.transaction().execute(async (transaction) => {
      const revision = await lockAgent(transaction, agentNo)
      return reserveAll(transaction, needs, { no: agentNo, revision }, batch)
    }),
  )

  return {
    windowUse: (agentNo, part) =>
      readThenLock(agentNo, async (from) =>
        (await readLedger({ db: from, seal, agentNo }, [part])).count(part),
      ),
    leavesAt: (agentNo, leaving) =>
      readThenLock(agentNo, (from) => leavesAt({ db: from, seal, agentNo }, leaving)),
    async unseenIn(agentNo, { spans, senders }) {
      if (senders.length === 0 || spans.length === 0) return []
      const rows = await db
        .selectFrom('reservations')
        .selectAll()
        .where('agent_no', '=', agentNo)
        .where('sender', 'in', senders)
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
    // A build with an approval is decided alone: if it cannot be kept, the rollback leaves the approval unused.
    reserve: (agentNo, terms) =>
      terms.approval
        ? locked(agentNo, async (transaction, revision) => {
            const [outcome] = await reserveAll(transaction, needs, { no: agentNo, revision }, [terms])
            if (outcome === undefined || outcome instanceof Fault) throw outcome
            return outcome
          })
        : guard(() => reserveInBatches(agentNo, terms)),
    redate: (agentNo, latest, now) =>
      locked(agentNo, (transaction) => redateRows(transaction, { seal, agentNo }, { latest, now })),
    ofIntent: (agentNo, intentId) =>
      guard(async () => {
        const rows = await db
          .selectFrom('reservations')
          .selectAll()
          .where('agent_no', '=', agentNo)
          .where('intent_id', '=', intentId)
          .execute()
        if (!rows.every(seal.isReservation)) throw new TamperedError(agentNo, 'the reservations')
        return rows.map((row) => ({ ...toReservation(row), isReleased: !isCounting(row) }))
      }),
    async unseen(sender) {
      const ids = await unseenIdsOf(db, sender)
      if (ids.length === 0) return []
      const rows = await db.selectFrom('reservations').selectAll().where('id', 'in', ids).execute()
      return rows.filter(seal.isReservation).map((row) => ({ ...toReservation(row), agentNo: row.agent_no }))
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
        await releaseBuilds(transaction, agentNo, await releaseRows(transaction, { seal, agentNo }, ids))
      })
    },
  }
}
