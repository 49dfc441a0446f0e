import type { Selectable, Transaction } from 'kysely'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import { lockAgentRow } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'

/** Columns that decide about an agent: its owner, its rights and its policy. */
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

/** Without the pepper, nobody who can write the database can raise a tier or a limit, or end a suspension. */
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

/** Takes as long without an agent, so that the timing of a refusal reveals nothing. */
export function isSealedAgent(
  secrets: Digest,
  agent: AgentContent | undefined,
  mac: string | null | undefined,
): boolean {
  const right = agentMac(secrets, agent ?? NO_AGENT)
  return agent !== undefined && mac === right
}

/** Logs each use of a row that was tampered with. */
export const logTampering = (logger: Pick<Logger, 'error'>, agentId: string): void =>
  logger.error(
    'the row of an agent was changed outside the service: its keys are refused until it is restored',
    new Error('its MAC does not match its content'),
    { agentId },
  )

export const selectSealed = (db: Database) => db.selectFrom('agents').select([...DECIDING, 'mac'])

/** Locks and reads the agent's row. */
export const lockSealed = (transaction: Transaction<Schema>, id: string): Promise<SealedAgent | undefined> =>
  lockAgentRow(transaction, selectSealed(transaction).where('id', '=', id))

/** The MAC for a change of the row. A row that was tampered with keeps its wrong MAC and stays invalid. */
export const resealed = (
  secrets: Digest,
  before: SealedAgent | undefined,
  change: Partial<AgentContent>,
): { mac?: string } =>
  before && isSealedAgent(secrets, before, before.mac)
    ? { mac: agentMac(secrets, { ...before, ...change }) }
    : {}
