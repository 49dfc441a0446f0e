import type { Transaction } from 'kysely'
import { lockRows } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

/**
 * Locks the agent until the transaction ends. Resolves with its policy's revision; undefined: it has no
 * policy, or is revoked and nothing more may count for it, because its mandate may have moved to a
 * replacement.
 */
export async function lockAgent(
  transaction: Transaction<Schema>,
  agentNo: number,
): Promise<number | undefined> {
  const agent = transaction
    .selectFrom('agents')
    .select(['policy_revision', 'status'])
    .where('no', '=', agentNo)
  const found = await lockRows(transaction, agent).executeTakeFirst()
  return found?.status === 'revoked' ? undefined : (found?.policy_revision ?? undefined)
}
