import type { Secrets } from '#ports/secrets.ts'
import type { ManagedReservations } from '#ports/stores/reservations.ts'
import type { Database } from '../../schema.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { recordAndNotify } from '../record-and-notify.ts'
import { releaseBuilds } from './kept-builds.ts'
import { type LedgerNeeds, openGuard } from './ledger/guard.ts'
import { ledgerSeal } from './ledger/ledger-seal.ts'
import { releaseRows } from './ledger/reservation-states.ts'
import { type AgentLock, withAgentLocked } from './lock-agent.ts'
import { isCounting, toReservation } from './reservation-content.ts'

type Needs = LedgerNeeds & AgentLock & { readonly secrets: Pick<Secrets, 'seal' | 'digest'> }

/** Each release is one transaction. */
export function sqlManagedReservations({ db, queueByAgent, secrets, logger }: Needs): ManagedReservations {
  const seal = ledgerSeal(secrets)
  const guard = openGuard(logger)
  const find = (agentNo: number, id: string) => selectOf(db, agentNo).where('id', '=', id).executeTakeFirst()
  return {
    async list(scope, agentId, { after, limit }) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return { kind: 'no_agent' }
      const last = after === undefined ? undefined : await find(agent.no, after)
      if (after !== undefined && !last) return { kind: 'bad_cursor' }
      let query = selectOf(db, agent.no).where('state', 'in', ['counts', 'seen'])
      if (last)
        query = query.where((where) =>
          where.or([
            where('at', '<', last.at),
            where.and([where('at', '=', last.at), where('id', '<', last.id)]),
          ]),
        )
      const rows = await query
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const reservations = rows.slice(0, limit).map(toReservation)
      return { kind: 'listed', reservations, isLast: rows.length <= limit }
    },
    async read(scope, agentId, id) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return { kind: 'no_agent' }
      const row = await find(agent.no, id)
      if (!row) return { kind: 'no_reservation' }
      return {
        kind: 'found',
        agentNo: agent.no,
        reservation: toReservation(row),
        isReleased: !isCounting(row),
      }
    },
    release: (scope, agentId, id, record) =>
      guard(async () => {
        const known = await findAgent(db, scope, agentId)
        if (!known) return false
        return withAgentLocked({ db, queueByAgent }, known.no, async (transaction) => {
          const agent = await findAgent(transaction, scope, agentId)
          if (!agent) return false
          const booking = { seal, agentNo: agent.no }
          const released = await releaseRows(transaction, booking, [id])
          if (released.length === 0) return false
          await releaseBuilds(transaction, agent.no, released)
          await recordAndNotify(transaction, secrets, toAgent(agent), record)
          return true
        })
      }),
  }
}

const selectOf = (db: Database, agentNo: number) =>
  db.selectFrom('reservations').selectAll().where('agent_no', '=', agentNo)
