import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Scope } from '#ports/stores/agents.ts'
import type { NewPolicy, Policies, PolicyDocument, PolicyRevision } from '#ports/stores/policies.ts'
import type { Database, Schema } from '../../schema.ts'
import { oneOf } from '../../stored-shape.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { lockSealed, resealed } from '../keys/agent-seal.ts'
import { assertPersisted } from '../keys/assert-persisted.ts'
import { recordAndNotify } from '../record-and-notify.ts'
import { beginSums } from './ledger/booking.ts'
import { type LedgerNeeds, openGuard } from './ledger/guard.ts'
import { ledgerSeal, TamperedError } from './ledger/ledger-seal.ts'
import { addSealed, arePolicies, type PolicyRow, policiesOf } from './ledger/policy-seal.ts'

type Needs = LedgerNeeds & { readonly secrets: Pick<Secrets, 'seal' | 'digest'> }

/** Each write is one transaction. */
export function sqlPolicies({ db, secrets, logger }: Needs): Policies {
  const seal = ledgerSeal(secrets)
  const guard = openGuard(logger)
  return {
    held: (agentNo, { now, revision }) =>
      guard(async () => {
        const rows = await policiesOf(db, agentNo)
        if (rows.length < revision || !arePolicies(secrets, rows))
          throw new TamperedError(agentNo, 'the policies')
        return heldOf(rows, now)
      }),
    async heldBy(scope, agentId, now) {
      const agent = await findAgent(db, scope, agentId)
      return agent && heldNow(db, agent.no, now)
    },
    async heldByEach(agentIds, now) {
      if (agentIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('policies')
        .innerJoin('agents', 'agents.no', 'policies.agent_no')
        .selectAll('policies')
        .select('agents.id as agent_id')
        .where('agents.id', 'in', agentIds)
        .where((where) => where.or([where('holds_until', 'is', null), where('holds_until', '>', now)]))
        .orderBy('revision', 'desc')
        .execute()
      const byAgent = Map.groupBy(rows, ({ agent_id }) => agent_id)
      return new Map(byAgent.entries().map(([id, held]) => [id, held.map(toRevision)]))
    },
    async revisions(scope, agentId, { before, limit }) {
      const agent = await findAgent(db, scope, agentId)
      if (!agent) return undefined
      const newest = newestFirst(db, agent.no).limit(limit)
      const rows = await (before === undefined ? newest : newest.where('revision', '<', before)).execute()
      return rows.map(toRevision)
    },
    write: (scope, agentId, policy, record) =>
      db.transaction().execute(async (transaction) => {
        const isTaken = await takeRevision(transaction, secrets, {
          scope,
          agentId,
          replaces: policy.replaces,
        })
        const agent = await findAgent(transaction, scope, agentId)
        if (!agent) return { kind: 'not_found' }
        if (agent.status === 'revoked') return { kind: 'revoked' }
        if (!isTaken) return { kind: 'conflict', revision: agent.policy_revision ?? 0 }
        const revision = policy.replaces + 1
        if (revision === 1) await beginSums(transaction, { seal, agentNo: agent.no })
        await addSealed(transaction, secrets, toRow(agent.no, revision, policy))
        const { hash, change } = policy
        const details = { policy: { revision, hash, ...(change && { change }) } }
        await recordAndNotify(transaction, secrets, toAgent(agent), record, details)
        return { kind: 'written', held: await heldNow(transaction, agent.no, policy.changedAt) }
      }),
  }
}

/** The revisions in force, newest first. */
const heldOf = (rows: readonly PolicyRow[], now: number): readonly PolicyRevision[] =>
  rows
    .filter(({ holds_until }) => holds_until === null || holds_until > now)
    .map(toRevision)
    .reverse()

/** The same from the database, without the checks of `held`. */
const heldNow = async (db: Database, agentNo: number, now: number): Promise<readonly PolicyRevision[]> => {
  const rows = await newestFirst(db, agentNo)
    .where((where) => where.or([where('holds_until', 'is', null), where('holds_until', '>', now)]))
    .execute()
  return rows.map(toRevision)
}

const newestFirst = (db: Database, agentNo: number) =>
  db.selectFrom('policies').selectAll().where('agent_no', '=', agentNo).orderBy('revision', 'desc')

/** Compare-and-set of the agent's revision. False: another write came first. */
async function takeRevision(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  { scope, agentId, replaces }: { scope: Scope; agentId: string; replaces: number },
): Promise<boolean> {
  const wanted = { policy_revision: replaces + 1 }
  const before = await lockSealed(transaction, agentId)
  const change = { ...wanted, ...resealed(secrets, before, wanted) }
  let update = transaction
    .updateTable('agents')
    .set(change)
    .where('id', '=', agentId)
    .where('status', '!=', 'revoked')
    .where('policy_revision', replaces === 0 ? 'is' : '=', replaces === 0 ? null : replaces)
  if (scope.kind === 'owner') update = update.where('owner', '=', scope.owner)
  const isTaken = (await update.returning('no').executeTakeFirst()) !== undefined
  const kept = transaction.selectFrom('agents').selectAll().where('id', '=', agentId)
  if (isTaken) await assertPersisted('agents', kept, change)
  return isTaken
}

const toRow = (
  agentNo: number,
  revision: number,
  { document, hash, changedAt, changedBy }: NewPolicy,
): Omit<PolicyRow, 'mac'> => ({
  agent_no: agentNo,
  revision,
  hash,
  document: JSON.stringify(document),
  changed_at: changedAt,
  changed_by: changedBy.id,
  changed_role: changedBy.role,
  loosen_ms: document.loosenAfterSeconds * 1000,
  holds_until: null,
})

const readRole = oneOf(['user', 'admin'])

function toRevision(row: PolicyRow): PolicyRevision {
  return {
    revision: row.revision,
    hash: row.hash,
    document: toDocument(row.document),
    changedAt: row.changed_at,
    changedBy: { id: row.changed_by, role: readRole(row.changed_role, 'policies.changed_role') },
    holdsUntil: row.holds_until ?? undefined,
  }
}

/** Only `write` writes these, after the contract's validation. */
const toDocument = (text: string): PolicyDocument => JSON.parse(text)
