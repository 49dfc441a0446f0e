import { sql, type Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Schema } from '../../schema.ts'
import type { AgentRow } from '../agent-rows.ts'
import { lockSealed, resealed } from '../keys/agent-seal.ts'
import { handOnBuilds } from './kept-builds.ts'

/**
 * A mandate belongs to what replaces the agent. Its policy is copied with all revisions and with when they end; what was
 * built, under whatever name, and what was asked for moves, so that nothing counts twice and no approval is used twice. Part of the
 * transaction that has revoked the one and added the other.
 */
export async function handOnMandate(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  { no: from, policy_revision }: Pick<AgentRow, 'no' | 'policy_revision'>,
  { no: to, id }: { readonly no: number; readonly id: string },
): Promise<void> {
  const kept = [
    'revision',
    'hash',
    'document',
    'changed_at',
    'changed_by',
    'changed_role',
    'loosen_ms',
    'holds_until',
  ] as const
  await transaction
    .insertInto('policies')
    .columns(['agent_no', ...kept])
    .expression((query) =>
      query
        .selectFrom('policies')
        .select([sql.lit(to).as('agent_no'), ...kept])
        .where('agent_no', '=', from),
    )
    .execute()
  for (const table of ['reservations', 'approvals'] as const)
    await transaction.updateTable(table).set({ agent_no: to }).where('agent_no', '=', from).execute()
  await handOnBuilds(transaction, from, to)
  const change = { policy_revision }
  const seal = resealed(secrets, await lockSealed(transaction, id), change)
  await transaction
    .updateTable('agents')
    .set({ ...change, ...seal })
    .where('no', '=', to)
    .execute()
}
