import type { Selectable, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionDetails } from '#ports/stores/agent-actions.ts'
import type { Agent, Agents } from '#ports/stores/agents.ts'
import { lockAgentRow } from '../../lock-order.ts'
import type { Schema } from '../../schema.ts'
import { changeAgent } from '../agent-changes.ts'
import { EVERYBODY, findAgent } from '../agent-queries.ts'
import { toAgent } from '../agent-rows.ts'
import { isSealed } from './key-seal.ts'
import { endNamedKey } from './named-keys.ts'
import { endPrimaryKey } from './primary-keys.ts'

type Change = Pick<Parameters<Agents['revokeByKey']>[1], 'step' | 'now'>

type Ended = {
  readonly agent: Agent
  readonly key: NonNullable<ActionDetails['key']>
  /** Only the key ended; its agent stays active. */
  readonly alone: boolean
}

const toKey = ({ id, prefix, digest }: Selectable<Schema['agent_keys']>) => ({
  id,
  prefix: prefix ?? '',
  digest,
})

/** Revokes the key and, if it is the current primary key, its agent. Undefined: the key is not valid now. */
export async function revokeByKey(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  digest: string,
  { step, now }: Change,
): Promise<Ended | undefined> {
  const id = await lockAgentOf(transaction, digest)
  const key = await transaction
    .selectFrom('agent_keys')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (id === undefined || key === undefined || !isSealed(secrets, id, key)) return undefined
  if (key.valid_until !== null && key.valid_until <= now) return undefined
  if (key.id === null && key.valid_until === null) {
    const outcome = await changeAgent(transaction, secrets, EVERYBODY, id, step, { revoked_at: now })
    return outcome.kind === 'changed'
      ? { agent: toAgent(outcome.row), key: toKey(key), alone: false }
      : undefined
  }
  if (key.id === null) await endPrimaryKey(transaction, secrets, id, digest, 0)
  else await endNamedKey(transaction, secrets, id, key, now)
  const row = await findAgent(transaction, EVERYBODY, id)
  return row && { agent: toAgent(row), key: toKey(key), alone: true }
}

/** Waits for a concurrent rotation, so that the current key is read after it. */
async function lockAgentOf(transaction: Transaction<Schema>, digest: string): Promise<string | undefined> {
  const agent = transaction
    .selectFrom('agents')
    .select(['no', 'id'])
    .where('no', 'in', (keys) =>
      keys.selectFrom('agent_keys').select('agent_no').where('digest', '=', digest),
    )
  return (await lockAgentRow(transaction, agent))?.id
}
