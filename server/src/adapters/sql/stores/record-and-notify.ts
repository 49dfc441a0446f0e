import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionDetails } from '#ports/stores/agent-actions.ts'
import type { ActionRecord, Agent } from '#ports/stores/agents.ts'
import type { Schema } from '../schema.ts'
import { recordActions } from './agent-actions.ts'
import { recordCompleted } from './completed-requests.ts'
import { queueNotice } from './mail-queue.ts'

/** Records the actions, the stored answer and the owner's mail inside the transaction of the change. */
export async function recordAndNotify(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'seal' | 'digest'>,
  agent: Agent,
  record: ActionRecord,
  details: ActionDetails = {},
  keyPrefix?: string,
): Promise<void> {
  const notice = record.notice(agent, keyPrefix)
  if (notice) await queueNotice(transaction, secrets, notice, record.at)
  await recordActions(transaction, secrets, agent.id, record.actions, record, details)
  if (record.once)
    await recordCompleted(transaction, secrets, { ...record.once, answer: record.once.answer(agent) })
}
