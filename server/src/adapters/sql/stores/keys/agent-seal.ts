import type { Selectable, Transaction } from 'kysely'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import { lockRows } from '../../engine.ts'
import type { Schema } from '../../schema.ts'

/** What decides about an agent: whose it is, what it may do, and which policy holds for it. */
const DECIDING = [
  'no',
  'id',
  'owner',
  'tier',
  'status',
  'rpm',
  'rpd',
  'verify_by',
  'policy_revision',
] as const

export type AgentContent = Pick<Selectable<Schema['agents']>, (typeof DECIDING)[number]>
export type SealedAgent = AgentContent & { readonly mac: string | null }

type Digest = Pick<Secrets, 'digest'>

/** Whoever can write the database but lacks the pepper cannot raise a tier or a limit, nor end a suspension. */
export const agentMac = (secrets: Digest, agent: AgentContent): string =>
  secrets.digest('agent record', JSON.stringify(DECIDING.map((column) => agent[column])))

const NO_AGENT: AgentContent = {
  no: 0,
  id: '',
  owner: '',
  tier: '',
  status: '',
  rpm: null,
  rpd: null,
  verify_by: null,
  policy_revision: null,
}

/** Takes as long where there is no agent: the time of a refusal says nothing about it. */
export function isSealedAgent(
  secrets: Digest,
  agent: AgentContent | undefined,
  mac: string | null | undefined,
): boolean {
  const right = agentMac(secrets, agent ?? NO_AGENT)
  return agent !== undefined && mac === right
}

/** One line for each use of a row that was changed behind the back of the service. */
export const sayChangedOutside = (logger: Pick<Logger, 'error'>, agentId: string): void =>
  logger.error(
    'the row of an agent was not written by this service: its keys are refused until the row is as it was',
    new Error('its seal is not that of its content'),
    { agentId },
  )

/** The row of the agent, which nobody else changes until the transaction ends. */
export async function lockSealed(
  transaction: Transaction<Schema>,
  id: string,
): Promise<SealedAgent | undefined> {
  const row = transaction
    .selectFrom('agents')
    .select([...DECIDING, 'mac'])
    .where('id', '=', id)
  return lockRows(transaction, row).executeTakeFirst()
}

/**
 * The seal that a change of the row needs. A row that was changed behind the back of the service keeps the seal that it
 * does not match: no later change of ours makes it good.
 */
export const resealed = (
  secrets: Digest,
  before: SealedAgent | undefined,
  change: Partial<AgentContent>,
): { mac?: string } =>
  before && isSealedAgent(secrets, before, before.mac)
    ? { mac: agentMac(secrets, { ...before, ...change }) }
    : {}
