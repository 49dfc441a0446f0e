import type { Transaction, Updateable } from 'kysely'
import type { Scope, Transition } from '#ports/stores/agents.ts'
import type { Schema } from '../schema.ts'
import { findAgent } from './agent-queries.ts'
import type { AgentRow } from './agent-rows.ts'

export type RowChange =
  | { readonly kind: 'changed' | 'refused'; readonly row: AgentRow }
  | { readonly kind: 'not_found' }

/**
 * Takes the step and writes the values, if the agent is in one of the states the step leads from; without a step the
 * state does not matter. Condition and change are one statement: nothing can come between.
 */
export async function changeAgent(
  transaction: Transaction<Schema>,
  scope: Scope,
  id: string,
  step: Transition | undefined,
  values: Updateable<Schema['agents']>,
): Promise<RowChange> {
  let update = transaction
    .updateTable('agents')
    .set(step ? { ...values, status: step.to } : values)
    .where('id', '=', id)
  if (scope.kind === 'owner') update = update.where('owner', '=', scope.owner)
  if (step) update = update.where('status', 'in', step.from)
  const changed = await update.returning('no').executeTakeFirst()
  const row = await findAgent(transaction, scope, id)
  if (!row) return { kind: 'not_found' }
  return { kind: changed ? 'changed' : 'refused', row }
}
