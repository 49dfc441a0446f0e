import type { StoredRows } from '../../stored-rows.ts'
import { Broken } from '../verdict.ts'
import { type AgentRow, type KeyRow, type RecordedAction, readActions } from './recorded-actions.ts'
import { verifyKeys } from './verify-keys.ts'
import { verifyMandates } from './verify-mandates.ts'
import { verifySessions } from './verify-sessions.ts'

/** The state of an agent after each action that determines it. A revoked agent stays revoked. */
const LEAVES: Readonly<Record<string, AgentRow['status']>> = {
  revoke: 'revoked',
  replace: 'revoked',
  activate: 'active',
  suspend: 'suspended',
  resume: 'active',
}

/** Actions on sessions and second factors. */
const OF_USERS = /totp|recovery-code|sign-in|session|token/

/**
 * Compares rows with the recorded actions: an older row that was restored has a valid seal, but contradicts later
 * actions. Approvals that were decided at `approvalsSince` or later must exist.
 */
export async function verifyAgainstActions(
  rows: StoredRows,
  agents: readonly AgentRow[],
  keys: readonly KeyRow[],
  approvalsSince: number,
): Promise<void> {
  const actions = await readActions(rows)
  const byId = new Map(agents.map((agent) => [agent.id, agent]))
  for (const { no, name, target } of actions)
    if (!byId.has(target) && !OF_USERS.test(name))
      throw new Broken(0, `the management action ${no} was done to ${target}, whose row is missing`)
  verifyStates(byId, actions)
  verifyLimits(byId, actions)
  verifyKeys(byId, keys, actions)
  await verifyMandates(rows, byId, actions, approvalsSince)
  await verifySessions(rows, actions)
}

function verifyStates(agents: ReadonlyMap<string, AgentRow>, actions: readonly RecordedAction[]): void {
  const left = new Map<string, { readonly state: string; readonly by: RecordedAction }>()
  for (const by of actions) {
    const state = LEAVES[by.name]
    if (state && left.get(by.target)?.state !== 'revoked') left.set(by.target, { state, by })
  }
  for (const [id, { state, by }] of left) {
    const status = agents.get(id)?.status
    if (status !== state && status !== 'revoked')
      throw new Broken(
        0,
        `${id} is ${status}, but the management action ${by.no} (${by.name}) left it ${state}`,
      )
  }
}

function verifyLimits(agents: ReadonlyMap<string, AgentRow>, actions: readonly RecordedAction[]): void {
  const newest = new Map(actions.filter(({ name }) => name === 'set-limits').map((by) => [by.target, by]))
  for (const [id, { no, details }] of newest) {
    const limits = details.limits?.after
    const agent = agents.get(id)
    if (limits && agent && (agent.rpm !== limits.rpm || agent.rpd !== limits.rpd))
      throw new Broken(0, `the limits of ${id} are not those that the management action ${no} has set`)
  }
}
