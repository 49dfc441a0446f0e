import type { Selectable, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Scope, Transition } from '#ports/stores/agents.ts'
import type { Schema } from '../schema.ts'
import { findAgent } from './agent-queries.ts'
import type { AgentRow } from './agent-rows.ts'
import { lockSealed, resealed } from './keys/agent-seal.ts'
import { assertPersisted } from './keys/assert-persisted.ts'

export type RowChange =
  | { readonly kind: 'changed' | 'refused'; readonly row: AgentRow }
  | { readonly kind: 'not_found' }

type Changes = Partial<
  Pick<
    Selectable<Schema['agents']>,
    'rpm' | 'rpd' | 'key_prefix' | 'identity_tier' | 'verified_at' | 'rotated_at' | 'revoked_at'
  >
>

/**
 * Verification proves the owner's address. Earlier versions did not clear `verify_by` at verification; any later
 * change clears it.
 */
const isProvenBy = (step: Transition | undefined, before: string | undefined): boolean =>
  step?.to === 'active' || before === 'active' || before === 'suspended'

/**
 * Makes the transition and writes the values if the agent's state allows it; without a transition, in any
 * state. The row is locked first and its seal renewed.
 */
export async function changeAgent(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  scope: Scope,
  id: string,
  step: Transition | undefined,
  values: Changes,
): Promise<RowChange> {
  const before = await lockSealed(transaction, id)
  const wanted = {
    ...values,
    ...(step && { status: step.to }),
    ...(isProvenBy(step, before?.status) && { verify_by: null }),
  }
  const change = { ...wanted, ...resealed(secrets, before, wanted) }
  let update = transaction.updateTable('agents').set(change).where('id', '=', id)
  if (scope.kind === 'owner') update = update.where('owner', '=', scope.owner)
  if (step) update = update.where('status', 'in', step.from)
  const changed = await update.returning('no').executeTakeFirst()
  const row = await findAgent(transaction, scope, id)
  if (!row) return { kind: 'not_found' }
  const mayChange = !step || step.from.some((state) => state === before?.status)
  if (mayChange)
    await assertPersisted('agents', transaction.selectFrom('agents').selectAll().where('id', '=', id), change)
  return { kind: changed ? 'changed' : 'refused', row }
}
