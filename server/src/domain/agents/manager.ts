import type { ActionName } from '#ports/stores/agent-actions.ts'
import type { ActionRecord, Agent, Notice } from '#ports/stores/agents.ts'
import type { OnceKey } from '#ports/stores/done-requests.ts'
import type { User } from '#ports/stores/users.ts'
import { truncateAddress } from '../audit/truncate-address.ts'

/** Who manages agents, and from where. */
export type Manager = {
  readonly user: User
  /** The network address, as the throttle counts it. */
  readonly client: string
  readonly via: ActionRecord['via']
}

/** A request that is to be done once, and how its answer is kept for a repeat. */
export type Once<Output> = OnceKey & { readonly answer: (output: Output) => string }

export const onceWith = <Output>(
  once: Once<Output> | undefined,
  outputOf: (agent: Agent) => Output,
): ActionRecord['once'] => once && { ...once, answer: (agent) => once.answer(outputOf(agent)) }

type What = {
  readonly actions: readonly ActionName[]
  readonly at: number
  readonly once?: ActionRecord['once']
  readonly notice?: (agent: Agent, keyPrefix?: string) => Notice | undefined
}

export function recordBy(
  { user, client, via }: Manager,
  { actions, at, once, notice = () => undefined }: What,
): ActionRecord {
  return {
    actions,
    at,
    actor: { kind: via === 'cli' ? 'operator' : 'user', id: user.id, role: user.role },
    truncatedAddress: truncateAddress(client),
    via,
    once,
    notice,
  }
}
