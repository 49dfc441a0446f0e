import type { ExpressionBuilder, Transaction } from 'kysely'
import type { AgentLimit } from '#ports/stores/agents.ts'
import { canonicalAddress } from '../../../basics/mailbox.ts'
import { lockSection } from '../lock-order.ts'
import type { Schema } from '../schema.ts'
import { isProvenAgent } from './keys/proven-agent.ts'

/** Agents of the owner under any spelling of the address: tags are unlimited. */
const ofMailbox = (owner: string) => (agent: ExpressionBuilder<Schema, 'agents'>) => {
  const mailbox = canonicalAddress(owner)
  return agent.or([agent('owner', 'in', [owner, mailbox]), agent('mailbox', '=', mailbox)])
}

type Owned = { readonly no: number; readonly owner: string }

/**
 * Whether the owner may have one more agent. Agents revoked today count as well, or revoking and registering
 * again would refill the daily quota. Unverified agents do not: anybody can register them with any address.
 */
export async function isBelowAgentLimit(
  transaction: Transaction<Schema>,
  owner: string,
  { limit, dayStart }: AgentLimit,
): Promise<boolean> {
  await lockSection(transaction, 'registrations')
  const { count } = await transaction
    .selectFrom('agents')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where(ofMailbox(owner))
    .where((agent) =>
      agent.or([
        agent('status', 'in', ['active', 'suspended']),
        agent.and([isProvenAgent(agent), agent('revoked_at', '>=', dayStart)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(count) < limit
}

/** A new agent inherits the counters of the most used agent that its owner has revoked today. */
export async function inheritUse(
  transaction: Transaction<Schema>,
  { no, owner }: Owned,
  { dayStart }: AgentLimit,
): Promise<void> {
  const used = await transaction
    .selectFrom('agents')
    .innerJoin('agent_counters', 'agent_counters.agent_no', 'agents.no')
    .select(['minute_start', 'minute_used', 'day_start', 'day_used'])
    .where(ofMailbox(owner))
    .where('status', '=', 'revoked')
    .where('revoked_at', '>=', dayStart)
    .where('day_start', '>=', dayStart)
    .orderBy('day_used', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!used) return
  const never = { last_used_at: 0, last_look_up_at: 0, last_policy_check_at: 0 }
  await transaction
    .insertInto('agent_activity')
    .values({ agent_no: no, ...used, ...never })
    .execute()
}
