import type { Transaction } from 'kysely'
import { lockRows } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

/**
 * From here to its end, no other transaction that locked the agent is under way. Resolves with the revision of its
 * policy; undefined: it has none, or the agent is revoked, and nothing more may count for it, because its mandate may
 * have gone on to another.
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
