import type { Secrets } from '#ports/secrets.ts'
import type { ManagedReservations } from '#ports/stores/reservations.ts'
import type { Database } from '../../schema.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { recordAndNotify } from '../record-and-notify.ts'
import { freeBuilds } from './kept-builds.ts'
import { type LedgerNeeds, openGuard } from './ledger/guard.ts'
import { ledgerSeal } from './ledger/ledger-seal.ts'
import { adoptRows, freeRows } from './ledger/reservation-states.ts'
import { type AgentLock, withAgentLocked } from './lock-agent.ts'
import { isCounting, toReservation } from './reservation-content.ts'

type Needs = LedgerNeeds & AgentLock & { readonly secrets: Pick<Secrets, 'seal' | 'digest'> }

/** Each release is one transaction. */
export function sqlManagedReservations({ db, inTurn, secrets, logger }: Needs): ManagedReservations {
  const seal = ledgerSeal(secrets)
  const guard = openGuard(logger)
  const find = async (agentNo: number, id: string) => {
    const row = await selectOf(db, agentNo).where('id', '=', id).executeTakeFirst()
    return row && { ...toReservation(row), isReleased: !isCounting(row), agentNo }
  }
  return {
    async list(scope, agentId, { after, limit }) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return 'no_agent'
      const last = after === undefined ? undefined : await find(agent.no, after)
      if (after !== undefined && !last) return 'bad_cursor'
      let query = selectOf(db, agent.no).where((where) =>
        where.or([
          where('state', 'in', ['counts', 'seen']),
          where.and([where('state', 'is', null), where('is_free', '=', 0)]),
        ]),
      )
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
      return { reservations: rows.slice(0, limit).map(toReservation), isLast: rows.length <= limit }
    },
    async read(scope, agentId, id) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return 'no_agent'
      return find(agent.no, id)
    },
    free: (scope, agentId, id, record) =>
      guard(async () => {
        const known = await findAgent(db, scope, agentId)
        if (!known) return false
        return withAgentLocked({ db, inTurn }, known.no, async (transaction) => {
          const agent = await findAgent(transaction, scope, agentId)
          if (!agent) return false
          const booking = { seal, agentNo: agent.no }
          await adoptRows(transaction, booking)
          const freed = await freeRows(transaction, booking, [id])
          if (freed.length === 0) return false
          await freeBuilds(transaction, agent.no, freed)
          await recordAndNotify(transaction, secrets, toAgent(agent), record)
          return true
        })
      }),
  }
}

const selectOf = (db: Database, agentNo: number) =>
  db.selectFrom('reservations').selectAll().where('agent_no', '=', agentNo)
