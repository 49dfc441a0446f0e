import type { Transaction } from 'kysely'
import { lockAgentRow } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'

/** Runs the work when it is the agent's turn in this process. */
export type QueueByAgent = <T>(agentNo: number, work: () => Promise<T>) => Promise<T>

export type AgentLock = { readonly db: Database; readonly queueByAgent: QueueByAgent }

/**
 * Runs the work in a transaction that has locked the agent. Transactions of one agent queue before they take a
 * connection: queueing at the lock, they could hold all connections, and other agents would get none.
 */
export const withAgentLocked = <T>(
  { db, queueByAgent }: AgentLock,
  agentNo: number,
  work: (transaction: Transaction<Schema>, revision: number | undefined) => Promise<T>,
): Promise<T> =>
  queueByAgent(agentNo, () =>
    db.transaction().execute(async (transaction) => work(transaction, await lockAgent(transaction, agentNo))),
  )

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
    .select(['no', 'policy_revision', 'status'])
    .where('no', '=', agentNo)
  const found = await lockAgentRow(transaction, agent)
  return found?.status === 'revoked' ? undefined : (found?.policy_revision ?? undefined)
}
