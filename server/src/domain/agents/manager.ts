import type { ActionContext, ActionName, Actor } from '#ports/stores/agent-actions.ts'
import type { ActionRecord, Agent } from '#ports/stores/agents.ts'
import type { IdempotentRequest } from '#ports/stores/completed-requests.ts'
import type { Notice } from '#ports/stores/outbox.ts'
import type { User } from '#ports/stores/users.ts'
import { truncateAddress } from '../audit/truncate-address.ts'

/** A user who manages agents, and the origin of the call. */
export type Manager = {
  readonly user: User
  /** The network address, as the throttle counts it. */
  readonly client: string
  readonly via: ActionRecord['via']
}

/** The origin of a call: address and channel. */
export type Origin = Pick<Manager, 'client' | 'via'>

/** A caller without credentials. */
export const ANYBODY: Actor = { kind: 'anybody', id: undefined, role: undefined }

/** A command on the machine of the service. */
export const OPERATOR: Actor = { kind: 'operator', id: 'operator', role: 'admin' }

export const actorOf = ({ id, role, session }: User): Actor => ({
  kind: session?.issuedBy === 'operator' ? 'operator' : 'user',
  id,
  role,
  session: session?.id,
})

export const circumstances = (actor: Actor, { client, via }: Origin, at: number): ActionContext => ({
  at,
  actor,
  truncatedAddress: truncateAddress(client),
  via,
})

/** An idempotency key, and how the answer is stored for a repeat. */
export type Once<Output> = IdempotentRequest & { readonly answer: (output: Output) => string }

export const onceWith = <Output>(
  once: Once<Output> | undefined,
  outputOf: (agent: Agent) => Output,
): ActionRecord['once'] => once && { ...once, answer: (agent) => once.answer(outputOf(agent)) }

type RecordedChange = {
  readonly actions: readonly ActionName[]
  readonly at: number
  readonly once?: ActionRecord['once']
  readonly notice?: (agent: Agent, keyPrefix?: string) => Notice | undefined
}

export function recordBy(
  manager: Manager,
  { actions, at, once, notice = () => undefined }: RecordedChange,
): ActionRecord {
  const { user, via } = manager
  const actor = { ...actorOf(user), ...(via === 'cli' && { kind: 'operator' as const }) }
  return { ...circumstances(actor, manager, at), actions, once, notice }
}
