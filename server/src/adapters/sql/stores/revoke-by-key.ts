import type { Transaction } from 'kysely'
import type { Agent, Agents } from '#ports/stores/agents.ts'
import { isPostgres } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { changeAgent } from './agent-changes.ts'
import { findAgent } from './agent-queries.ts'
import { toAgent } from './agent-rows.ts'

type Change = Pick<Parameters<Agents['revokeByKey']>[1], 'step' | 'now'>

const EVERYBODY = { kind: 'everybody' } as const

/** Ends the key, and its agent with it when it is the present one. Undefined when it opens nothing at this moment. */
export async function revokeByKey(
  transaction: Transaction<Schema>,
  digest: string,
  { step, now }: Change,
): Promise<Agent | undefined> {
  const id = await lockAgentOf(transaction, digest)
  const key = await transaction
    .selectFrom('agent_keys')
    .select('valid_until')
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (id === undefined || key === undefined) return undefined
  if (key.valid_until === null) {
    const outcome = await changeAgent(transaction, EVERYBODY, id, step, { revoked_at: now })
    return outcome.kind === 'changed' ? toAgent(outcome.row) : undefined
  }
  if (key.valid_until <= now) return undefined
  await transaction.updateTable('agent_keys').set({ valid_until: 0 }).where('digest', '=', digest).execute()
  const row = await findAgent(transaction, EVERYBODY, id)
  return row && toAgent(row)
}

/** A rotation under way is waited for: which key is the present one is read after it. */
async function lockAgentOf(transaction: Transaction<Schema>, digest: string): Promise<string | undefined> {
  const agent = transaction
    .selectFrom('agents')
    .select('id')
    .where('no', 'in', (keys) =>
      keys.selectFrom('agent_keys').select('agent_no').where('digest', '=', digest),
    )
  const row = await (isPostgres(transaction) ? agent.forUpdate() : agent).executeTakeFirst()
  return row?.id
}
