import { type StoredRows, toRows } from '../stored-rows.ts'
import type { AgentRow, KeyRow } from './recorded/recorded-actions.ts'
import { verifyAgainstActions } from './recorded/verify-against-actions.ts'
import { Broken } from './verdict.ts'

/** Tables whose rows belong to an agent. */
const OF_AGENTS = ['agent_keys', 'agent_activity', 'agent_days', 'policies', 'reservations', 'approvals']

/** Agents are never deleted: every agent mentioned must exist, with a key and as its actions left it. */
export async function verifyAgents(
  rows: StoredRows,
  logged: ReadonlySet<number>,
  approvalsSince: number,
): Promise<void> {
  const agents = toRows<AgentRow>(await rows.read('agents'))
  const numbers = new Set(agents.map(({ no }) => no))
  for (const no of logged)
    if (!numbers.has(no)) throw new Broken(0, `agent ${no} has made requests, and its row is missing`)
  for (const table of OF_AGENTS)
    for (const no of await rows.agentsIn(table))
      if (!numbers.has(no)) throw new Broken(0, `agent ${no} is in ${table}, and its row is missing`)
  const counted = new Set(await rows.agentsIn('agent_activity'))
  for (const no of logged)
    if (!counted.has(no)) throw new Broken(0, `agent ${no} has made requests, and its counters are missing`)
  const keys = toRows<KeyRow>(await rows.read('agent_keys'))
  const withKey = new Set(keys.filter(isCurrentPrimary).map(({ agent_no: no }) => no))
  for (const { no, id } of agents) if (!withKey.has(no)) throw new Broken(0, `the key of ${id} is missing`)
  await verifyAgainstActions(rows, agents, keys, approvalsSince)
}

const isCurrentPrimary = ({ id, valid_until: end }: KeyRow): boolean => id === null && end === null
