import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Scope } from '#ports/stores/agents.ts'
import type { Approval, Approvals, Decision, NewApproval } from '#ports/stores/approvals.ts'
import type { UsableApproval } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../../../durations.ts'
import type { Database, Schema } from '../../schema.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { queueNotice } from '../mail-queue.ts'
import { tellOwner } from '../tell-owner.ts'
import { toApproval, toRow } from './approval-rows.ts'
import { lockAgent } from './lock-agent.ts'
import { listWaiting } from './waiting-approvals.ts'

type Needs = { readonly db: Database; readonly secrets: Pick<Secrets, 'seal' | 'digest'> }

/** Each method is one transaction. */
export function sqlApprovals({ db, secrets }: Needs): Approvals {
  return {
    ask: (agentNo, approval, { mostWaiting, notice }) =>
      db.transaction().execute(async (transaction) => {
        await lockAgent(transaction, agentNo)
        const usable = await selectUsable(transaction, agentNo, approval.createdAt)
        const same = usable.find(({ wish }) => wish.hash === approval.wish.hash)
        if (same) return same
        if (usable.filter(({ state }) => state === 'waiting').length >= mostWaiting) return undefined
        const added = await insertApproval(transaction, agentNo, approval)
        const mail = notice(toAgent(await agentOf(transaction, agentNo)))
        if (mail) await queueNotice(transaction, secrets, mail, approval.createdAt)
        return added
      }),
    find: (agentNo, id) => findApproval(db, agentNo, id),
    async list(scope, agentId, { before, limit }) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return undefined
      const newest = selectApprovals(db, agent.no).orderBy('no', 'desc').limit(limit)
      const rows = await (before === undefined ? newest : newest.where('no', '<', before)).execute()
      return rows.map(toApproval)
    },
    async read(scope, agentId, id) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return { kind: 'no_agent' }
      const approval = await findApproval(db, agent.no, id)
      if (approval) return { kind: 'found', approval }
      return { kind: 'no_approval', movedTo: await holderOf(db, scope, id) }
    },
    listWaiting: (scope, page) => listWaiting(db, scope, page),
    decide: (scope, agentId, id, decision, record) =>
      db.transaction().execute(async (transaction) => {
        const agent = await findAgent(transaction, scope, agentId)
        if (!agent) return { kind: 'no_agent' }
        // Who has asked for an approval has a policy, unless it is revoked.
        const isRevoked = (await lockAgent(transaction, agent.no)) === undefined
        const found = await findApproval(transaction, agent.no, id)
        if (!found) return { kind: 'no_approval', movedTo: await holderOf(transaction, scope, id) }
        if (isRevoked && decision.state === 'approved') return { kind: 'revoked' }
        if (found.state === decision.state) return { kind: 'decided', approval: found }
        if (!mayBecome(found, decision)) return { kind: 'settled', approval: found }
        const approval = await writeDecision(transaction, id, decision)
        await tellOwner(transaction, secrets, toAgent(agent), record)
        return { kind: 'decided', approval }
      }),
  }
}

/** What is approved may still be refused; nothing else changes once it is decided. */
const mayBecome = ({ state, createdAt, expiresAt }: Approval, decision: Decision): boolean =>
  decision.at < expiresAt &&
  createdAt <= decision.at + CLOCK_STEP_MS &&
  (state === 'waiting' || (state === 'approved' && decision.state === 'refused'))

/** Whose it is now, if that is within the scope. */
async function holderOf(db: Database, scope: Scope, id: string): Promise<string | undefined> {
  const holder = db
    .selectFrom('approvals')
    .innerJoin('agents', 'agents.no', 'approvals.agent_no')
    .select('agents.id')
    .where('approvals.id', '=', id)
  const row = await (scope.kind === 'owner'
    ? holder.where('agents.owner', '=', scope.owner)
    : holder
  ).executeTakeFirst()
  return row?.id
}

const selectApprovals = (db: Database, agentNo: number) =>
  db.selectFrom('approvals').selectAll().where('agent_no', '=', agentNo)

async function findApproval(db: Database, agentNo: number, id: string): Promise<Approval | undefined> {
  const row = await selectApprovals(db, agentNo).where('id', '=', id).executeTakeFirst()
  return row && toApproval(row)
}

async function selectUsable(
  transaction: Transaction<Schema>,
  agentNo: number,
  now: number,
): Promise<readonly Approval[]> {
  const rows = await selectApprovals(transaction, agentNo)
    .where('state', 'in', ['waiting', 'approved'])
    .where('expires_at', '>', now)
    .where('created_at', '<=', now + CLOCK_STEP_MS)
    .execute()
  return rows.map(toApproval)
}

async function insertApproval(
  transaction: Transaction<Schema>,
  agentNo: number,
  approval: NewApproval,
): Promise<Approval> {
  const newest = await transaction
    .selectFrom('approvals')
    .select((select) => select.fn.max('no').as('no'))
    .where('agent_no', '=', agentNo)
    .executeTakeFirst()
  const row = toRow(agentNo, Number(newest?.no ?? 0) + 1, approval)
  return toApproval(
    await transaction.insertInto('approvals').values(row).returningAll().executeTakeFirstOrThrow(),
  )
}

async function agentOf(transaction: Transaction<Schema>, agentNo: number) {
  const agent = await transaction
    .selectFrom('agents')
    .selectAll()
    .where('no', '=', agentNo)
    .executeTakeFirstOrThrow()
  return { ...agent, last_used_at: null }
}

async function writeDecision(
  transaction: Transaction<Schema>,
  id: string,
  { state, at, by }: Decision,
): Promise<Approval> {
  const row = await transaction
    .updateTable('approvals')
    .set({ state, decided_at: at, decided_by: by.id, decided_role: by.role })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toApproval(row)
}

/** Uses it up for one transaction, as part of the step that lets it count. False: it cannot be used any more. */
export async function useApproval(
  transaction: Transaction<Schema>,
  agentNo: number,
  { id, wishHash, usableIn }: UsableApproval,
  { intentId, at }: { readonly intentId: string; readonly at: number },
): Promise<boolean> {
  const used = await transaction
    .updateTable('approvals')
    .set({ state: 'used', intent_id: intentId })
    .where('agent_no', '=', agentNo)
    .where('id', '=', id)
    .where('wish_hash', '=', wishHash)
    .where('state', 'in', usableIn)
    .where('expires_at', '>', at)
    .where('created_at', '<=', at + CLOCK_STEP_MS)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}
