import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { AgentKeys, PreviousKey } from '#ports/stores/agent-keys.ts'
import type { Database, Schema } from '../../schema.ts'
import { findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { recordAndNotify } from '../record-and-notify.ts'
import { lockSealed } from './agent-seal.ts'
import { isEnded, isSealed } from './key-seal.ts'
import { endPrimaryKey } from './primary-keys.ts'

type Sealing = Pick<Secrets, 'seal' | 'digest'>

/** Replaced primary keys: an agent has one at most, since a rotation deletes the one before. */
const selectReplaced = (db: Database) =>
  db
    .selectFrom('agent_keys')
    .innerJoin('agents', 'agents.no', 'agent_keys.agent_no')
    .selectAll('agent_keys')
    .select('agents.id as agent_id')
    .where('agent_keys.id', 'is', null)
    .where('agent_keys.valid_until', 'is not', null)

/** Previous keys that are valid at `now`, by agent id. */
export async function findPrevious(
  db: Database,
  secrets: Sealing,
  agentIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, PreviousKey>> {
  if (agentIds.length === 0) return new Map()
  const rows = await selectReplaced(db)
    .where('agents.id', 'in', agentIds)
    .where('agent_keys.valid_until', '>', now)
    .execute()
  return new Map(
    rows
      .filter((row) => isSealed(secrets, row.agent_id, row))
      .map((row) => [row.agent_id, { prefix: row.prefix ?? '', validUntil: row.valid_until ?? 0 }]),
  )
}

/** Locks the agent first, so that no concurrent rotation makes another key the previous one. */
export async function endPrevious(
  transaction: Transaction<Schema>,
  secrets: Sealing,
  ...[scope, agentId, now, record]: Parameters<AgentKeys['endPrevious']>
): ReturnType<AgentKeys['endPrevious']> {
  await lockSealed(transaction, agentId)
  const agent = await findAgent(transaction, scope, agentId)
  const key = agent && (await selectReplaced(transaction).where('agents.id', '=', agentId).executeTakeFirst())
  if (!key) return undefined
  const { digest, prefix, valid_until: end } = key
  // A row that was changed in the database is ended like a valid one: the change could be undone.
  if (isSealed(secrets, agentId, key) && end !== null && end <= now)
    return isEnded(key) ? { revokedAt: key.revoked_at ?? now } : undefined
  await endPrimaryKey(transaction, secrets, agentId, digest, 0)
  await transaction.updateTable('agent_keys').set({ revoked_at: now }).where('digest', '=', digest).execute()
  const details = { key: { id: null, prefix: prefix ?? '', digest } }
  await recordAndNotify(transaction, secrets, toAgent(agent), record, details, prefix ?? '')
  return { revokedAt: now }
}
