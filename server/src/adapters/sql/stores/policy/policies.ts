import { type Selectable, sql, type Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Scope } from '#ports/stores/agents.ts'
import type { NewPolicy, Policies, PolicyDocument, PolicyRevision } from '#ports/stores/policies.ts'
import type { Database, Schema } from '../../schema.ts'
import { oneOf } from '../../stored-shape.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { lockSealed, resealed } from '../keys/agent-seal.ts'
import { tellOwner } from '../tell-owner.ts'

type Needs = { readonly db: Database; readonly secrets: Pick<Secrets, 'seal' | 'digest'> }

/** Each method is one transaction. */
export function sqlPolicies({ db, secrets }: Needs): Policies {
  const held = async (agentNo: number, now: number) => {
    const rows = await newestFirst(db, agentNo)
      .where((where) => where.or([where('holds_until', 'is', null), where('holds_until', '>', now)]))
      .execute()
    return rows.map(toRevision)
  }
  return {
    held,
    async heldBy(scope, agentId, now) {
      const agent = await findAgent(db, scope, agentId)
      return agent && held(agent.no, now)
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
        const isOurs = await takeRevision(transaction, secrets, { scope, agentId, replaces: policy.replaces })
        const agent = await findAgent(transaction, scope, agentId)
        if (!agent) return { kind: 'not_found' }
        if (agent.status === 'revoked') return { kind: 'revoked' }
        if (!isOurs) return { kind: 'conflict', revision: agent.policy_revision ?? 0 }
        const revision = policy.replaces + 1
        await insertRevision(transaction, agent.no, revision, policy)
        await tellOwner(transaction, secrets, toAgent(agent), record)
        return { kind: 'written', revision }
      }),
  }
}

const newestFirst = (db: Database, agentNo: number) =>
  db.selectFrom('policies').selectAll().where('agent_no', '=', agentNo).orderBy('revision', 'desc')

/** Of two who replace the same revision at once, one has done it: false for the other. */
async function takeRevision(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  { scope, agentId, replaces }: { scope: Scope; agentId: string; replaces: number },
): Promise<boolean> {
  const change = { policy_revision: replaces + 1 }
  const before = await lockSealed(transaction, agentId)
  let update = transaction
    .updateTable('agents')
    .set({ ...change, ...resealed(secrets, before, change) })
    .where('id', '=', agentId)
    .where('status', '!=', 'revoked')
    .where('policy_revision', replaces === 0 ? 'is' : '=', replaces === 0 ? null : replaces)
  if (scope.kind === 'owner') update = update.where('owner', '=', scope.owner)
  return (await update.returning('no').executeTakeFirst()) !== undefined
}

async function insertRevision(
  transaction: Transaction<Schema>,
  agentNo: number,
  revision: number,
  { document, hash, changedAt, changedBy }: NewPolicy,
): Promise<void> {
  await transaction
    .updateTable('policies')
    .set({ holds_until: sql<number>`loosen_ms + ${sql.lit(changedAt)}` })
    .where('agent_no', '=', agentNo)
    .where('revision', '=', revision - 1)
    .execute()
  await transaction
    .insertInto('policies')
    .values({
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
    .execute()
}

const readRole = oneOf(['user', 'admin'])

function toRevision(row: Selectable<Schema['policies']>): PolicyRevision {
  return {
    revision: row.revision,
    hash: row.hash,
    document: toDocument(row.document),
    changedAt: row.changed_at,
    changedBy: { id: row.changed_by, role: readRole(row.changed_role, 'policies.changed_role') },
    holdsUntil: row.holds_until ?? undefined,
  }
}

/** Guaranteed by `write`, which alone writes them, from what the contract has checked. */
const toDocument = (text: string): PolicyDocument => JSON.parse(text)
