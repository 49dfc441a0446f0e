import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Scope } from '#ports/stores/agents.ts'
import type { Approval, Approvals, Decision, NewApproval } from '#ports/stores/approvals.ts'
import type { Reservation, UsableApproval } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../../../durations.ts'
import type { Database, Schema } from '../../schema.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { queueNotice } from '../mail-queue.ts'
import { tellOwner } from '../tell-owner.ts'
import { toApproval, toRow } from './approval-rows.ts'
import {
  type ApprovalRow,
  assertGenuine,
  isGenuine,
  isSealedApproval,
  refuseUsedTwice,
  type SealNeeds,
  sealed,
} from './approval-seal.ts'
import { lockAgent } from './lock-agent.ts'
import { listWaiting } from './waiting-approvals.ts'

type Needs = SealNeeds & {
  readonly db: Database
  readonly secrets: Pick<Secrets, 'seal' | 'digest'>
}

/**
 * Each method is one transaction. What was changed behind the back of the service is left out of lists, and refused where
 * it is named.
 */
export function sqlApprovals(needs: Needs): Approvals {
  const { db, secrets } = needs
  return {
    ask: (agentNo, approval, { mostWaiting, notice }) =>
      db.transaction().execute(async (transaction) => {
        await lockAgent(transaction, agentNo)
        const usable = await selectUsable(transaction, needs, agentNo, approval.createdAt)
        const same = usable.find(({ wish }) => wish.hash === approval.wish.hash)
        if (same) return same
        if (usable.filter(({ state }) => state === 'waiting').length >= mostWaiting) return undefined
        const added = await insertApproval(transaction, secrets, agentNo, approval)
        const mail = notice(toAgent(await agentOf(transaction, agentNo)))
        if (mail) await queueNotice(transaction, secrets, mail, approval.createdAt)
        return added
      }),
    async find(agentNo, id) {
      const row = await findApproval(db, needs, agentNo, id)
      return row && toApproval(row)
    },
    async list(scope, agentId, page) {
      const agent = await findAgent(db, scope, agentId)
      return agent && listNewest(db, needs, agent.no, page)
    },
    async read(scope, agentId, id) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return { kind: 'no_agent' }
      const row = await findApproval(db, needs, agent.no, id)
      if (row) return { kind: 'found', approval: toApproval(row) }
      return { kind: 'no_approval', movedTo: await holderOf(db, scope, id) }
    },
    listWaiting: (scope, page) => listWaiting(db, needs, scope, page),
    decide: (scope, agentId, id, decision, record) =>
      db.transaction().execute(async (transaction) => {
        const agent = await findAgent(transaction, scope, agentId)
        if (!agent) return { kind: 'no_agent' }
        // Who has asked for an approval has a policy, unless it is revoked.
        const isRevoked = (await lockAgent(transaction, agent.no)) === undefined
        const row = await findApproval(transaction, needs, agent.no, id)
        if (!row) return { kind: 'no_approval', movedTo: await holderOf(transaction, scope, id) }
        const found = toApproval(row)
        if (isRevoked && decision.state === 'approved') return { kind: 'revoked' }
        if (found.state === decision.state) return { kind: 'decided', approval: found }
        if (!mayBecome(found, decision)) return { kind: 'settled', approval: found }
        const approval = await writeDecision(transaction, secrets, row, decision)
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

async function findApproval(
  db: Database,
  needs: SealNeeds,
  agentNo: number,
  id: string,
): Promise<ApprovalRow | undefined> {
  const row = await selectApprovals(db, agentNo).where('id', '=', id).executeTakeFirst()
  if (row) assertGenuine(needs, row)
  return row
}

/** As many as the page has room for, as long as there are some. */
async function listNewest(
  db: Database,
  needs: SealNeeds,
  agentNo: number,
  { before, limit }: Parameters<Approvals['list']>[2],
): Promise<readonly Approval[]> {
  const newest = selectApprovals(db, agentNo).orderBy('no', 'desc').limit(limit)
  const rows = await (before === undefined ? newest : newest.where('no', '<', before)).execute()
  const found = rows.filter((row) => isGenuine(needs, row)).map(toApproval)
  if (rows.length < limit || found.length === limit) return found
  const rest = { before: rows.at(-1)?.no, limit: limit - found.length }
  return [...found, ...(await listNewest(db, needs, agentNo, rest))]
}

async function selectUsable(
  transaction: Transaction<Schema>,
  needs: SealNeeds,
  agentNo: number,
  now: number,
): Promise<readonly Approval[]> {
  const rows = await selectApprovals(transaction, agentNo)
    .where('state', 'in', ['waiting', 'approved'])
    .where('expires_at', '>', now)
    .where('created_at', '<=', now + CLOCK_STEP_MS)
    .execute()
  return rows.filter((row) => isGenuine(needs, row)).map(toApproval)
}

async function insertApproval(
  transaction: Transaction<Schema>,
  secrets: SealNeeds['secrets'],
  agentNo: number,
  approval: NewApproval,
): Promise<Approval> {
  const newest = await transaction
    .selectFrom('approvals')
    .select((select) => select.fn.max('no').as('no'))
    .where('agent_no', '=', agentNo)
    .executeTakeFirst()
  const row = sealed(secrets, toRow(agentNo, Number(newest?.no ?? 0) + 1, approval))
  await transaction.insertInto('approvals').values(row).execute()
  return toApproval(row)
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
  secrets: SealNeeds['secrets'],
  before: ApprovalRow,
  { state, at, by }: Decision,
): Promise<Approval> {
  const change = { state, decided_at: at, decided_by: by.id, decided_role: by.role }
  return toApproval(await rewrite(transaction, sealed(secrets, { ...before, ...change })))
}

/** Part of a transaction that has locked the agent: nobody else has changed the row since it was read. */
const rewrite = (transaction: Transaction<Schema>, { id, ...row }: ApprovalRow): Promise<ApprovalRow> =>
  transaction.updateTable('approvals').set(row).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Uses it up for one transaction, as part of the step that lets it count. False: it cannot be used any more. */
export async function useApproval(
  transaction: Transaction<Schema>,
  needs: SealNeeds,
  agentNo: number,
  { id, wishHash, usableIn }: UsableApproval,
  { intentId, at, ...reservation }: Reservation,
): Promise<boolean> {
  const row = await findApproval(transaction, needs, agentNo, id)
  const isUsable =
    row !== undefined &&
    row.wish_hash === wishHash &&
    usableIn.some((state) => state === row.state) &&
    row.expires_at > at &&
    row.created_at <= at + CLOCK_STEP_MS
  if (!isUsable) return false
  const before = await transaction
    .selectFrom('reservations')
    .select('id')
    .where('id', '=', reservation.id)
    .executeTakeFirst()
  if (before) refuseUsedTwice(needs, row)
  await rewrite(transaction, sealed(needs.secrets, { ...row, state: 'used', intent_id: intentId }))
  return true
}

/** What was asked for goes on to what replaces the agent; what was changed outside is handed on without a seal. */
export async function handOnApprovals(
  transaction: Transaction<Schema>,
  secrets: SealNeeds['secrets'],
  from: number,
  to: number,
): Promise<void> {
  for (const row of await selectApprovals(transaction, from).execute()) {
    const moved = { ...row, agent_no: to }
    await rewrite(
      transaction,
      isSealedApproval(secrets, row) ? sealed(secrets, moved) : { ...moved, mac: null },
    )
  }
}
