import type { Selectable } from 'kysely'
import type { Schema } from '../../schema.ts'
import { toDetails } from '../../stores/agent-actions.ts'
import { type StoredRows, toRows } from '../stored-rows.ts'
import { Broken } from './verdict.ts'

type AgentRow = Pick<Selectable<Schema['agents']>, 'no' | 'id' | 'status'>
type KeyRow = Pick<Selectable<Schema['agent_keys']>, 'agent_no' | 'digest' | 'id' | 'valid_until'>
type ActionRow = Pick<Selectable<Schema['agent_actions']>, 'no' | 'action' | 'agent_id' | 'details'>

/** Tables whose rows belong to an agent. */
const OF_AGENTS = ['agent_keys', 'agent_activity', 'agent_days', 'policies', 'reservations', 'approvals']

/** The state after an action, where it is always the same. A revoked agent stays revoked. */
const LEAVES: Readonly<Record<string, AgentRow['status']>> = {
  revoke: 'revoked',
  replace: 'revoked',
  activate: 'active',
  suspend: 'suspended',
  resume: 'active',
}

/** Actions on sessions and second factors. */
const OF_USERS = /totp|recovery-code|sign-in|session|token/

/** Agents are never deleted: every agent mentioned must exist, with a key and in its last action's state. */
export async function verifyAgents(rows: StoredRows, logged: ReadonlySet<number>): Promise<void> {
  const agents = toRows<AgentRow>(await rows.read('agents'))
  const numbers = new Set(agents.map(({ no }) => no))
  for (const no of logged)
    if (!numbers.has(no)) throw new Broken(0, `agent ${no} has made requests, and its row is missing`)
  for (const table of OF_AGENTS)
    for (const no of await rows.agentsIn(table))
      if (!numbers.has(no)) throw new Broken(0, `agent ${no} is in ${table}, and its row is missing`)
  const keys = toRows<KeyRow>(await rows.read('agent_keys'))
  const withKey = new Set(keys.filter(isPresent).map(({ agent_no: no }) => no))
  for (const { no, id } of agents) if (!withKey.has(no)) throw new Broken(0, `the key of ${id} is missing`)
  const actions = toRows<ActionRow>(await rows.read('agent_actions', { order: 'no' }))
  verifyStates(agents, actions)
  verifyKeys(agents, keys, actions)
}

const isPresent = ({ id, valid_until: end }: KeyRow): boolean => id === null && end === null

/** A restored older row has a valid seal, but later recorded actions contradict it. */
function verifyStates(agents: readonly AgentRow[], actions: readonly ActionRow[]): void {
  const states = new Map(agents.map(({ id, status }) => [id, status]))
  const left = new Map<string, { readonly state: string; readonly action: ActionRow }>()
  for (const action of actions) {
    const { agent_id: id, action: name } = action
    if (!states.has(id) && !OF_USERS.test(name))
      throw new Broken(0, `the management action ${action.no} was done to ${id}, whose row is missing`)
    const state = LEAVES[name]
    if (state && left.get(id)?.state !== 'revoked') left.set(id, { state, action })
  }
  for (const [id, { state, action }] of left)
    if (states.get(id) !== state && states.get(id) !== 'revoked')
      throw new Broken(
        0,
        `${id} is ${states.get(id)}, but the management action ${action.no} (${action.action}) left it ${state}`,
      )
}

/** Likewise for keys: an ended key stays ended, and the current key is that of the newest rotation. */
function verifyKeys(
  agents: readonly AgentRow[],
  keys: readonly KeyRow[],
  actions: readonly ActionRow[],
): void {
  const working = new Map(agents.filter(({ status }) => status !== 'revoked').map(({ id, no }) => [id, no]))
  const byDigest = new Map(keys.map((key) => [key.digest, key]))
  const newest = new Map<number, { readonly digest: string; readonly id: string; readonly no: number }>()
  for (const { no, action, agent_id: id, details } of actions) {
    const agentNo = working.get(id)
    const { key } = toDetails(details)
    if (agentNo === undefined || !key) continue
    if (action === 'rotate') newest.set(agentNo, { digest: key.digest, id, no })
    const end = byDigest.get(key.digest)?.valid_until
    if (ENDS_A_KEY.includes(action) && end !== undefined && end !== 0)
      throw new Broken(0, `the key ${key.prefix}… of ${id} works, but the management action ${no} ended it`)
  }
  for (const { agent_no: agentNo, digest } of keys.filter(isPresent)) {
    const rotated = newest.get(agentNo)
    if (rotated && rotated.digest !== digest)
      throw new Broken(0, `the key of ${rotated.id} is not that of the management action ${rotated.no}`)
  }
}

const ENDS_A_KEY = ['revoke-key', 'revoke-self', 'report-leak']
