import type { Agent, StoredStatus, Transition } from '#ports/stores/agents.ts'
import { call, type Fault, type NextCall, refusal } from '../../fault.ts'

export type Status = StoredStatus | 'expired'

/** All transitions of an agent's state. The stores derive the conditions of their updates from this table. */
export const TRANSITIONS = {
  verify: { from: ['pending_verification'], to: 'active' },
  rotate: { from: ['active'], to: 'active' },
  suspend: { from: ['active', 'suspended'], to: 'suspended' },
  resume: { from: ['suspended', 'active'], to: 'active' },
  revoke: { from: ['pending_verification', 'active', 'suspended'], to: 'revoked' },
} as const satisfies Record<string, Transition>

/** The state at a given time: a pending agent is expired from the moment its link stops working. */
export function statusAt(agent: Pick<Agent, 'storedStatus' | 'verifyBy'>, now: number): Status {
  const isPending = agent.storedStatus === 'pending_verification'
  return isPending && agent.verifyBy !== undefined && now >= agent.verifyBy ? 'expired' : agent.storedStatus
}

/**
 * Whether the owner's address was proven. Decided by a column that the seal of the agent's row covers; it does not
 * cover `identityTier`. Only an agent that was revoked before its verification keeps its `verifyBy`.
 */
export const isProven = ({ storedStatus, verifyBy }: Pick<Agent, 'storedStatus' | 'verifyBy'>): boolean =>
  storedStatus === 'revoked' ? verifyBy === undefined : storedStatus !== 'pending_verification'

const REGISTER = [`Register a new one with ${call('registerAgent')}.`, { endpoint: 'registerAgent' }] as const

/** The reasons why an agent that is not active cannot be changed, with the fix. */
const REFUSALS = {
  pending_verification: ['This agent is not verified yet.', 'Use the link in the mail first.'],
  expired: ['This agent has expired: the link in the mail was not used in time.', ...REGISTER],
  suspended: ['This agent is suspended.', 'Ask the operator of the service to resume it first.'],
  revoked: ['This agent is revoked for good.', ...REGISTER],
} as const satisfies Record<
  Exclude<Status, 'active'>,
  readonly [problem: string, fix: string, next?: NextCall]
>

/** The refusal of a step that the agent's state does not allow. */
export function stepRefused(code: 'not_found' | 'invalid_input', agent: Agent, now: number): Fault {
  const status = statusAt(agent, now)
  if (status === 'active') throw new Error('No step is refused to an active agent')
  const [problem, fix, next] = REFUSALS[status]
  // A suspended agent exists and can be changed once it is resumed, so `not_found` would be wrong.
  return refusal(status === 'suspended' ? 'invalid_input' : code, problem, fix, { next })
}
