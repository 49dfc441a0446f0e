import type { ActionName } from '#ports/stores/agent-actions.ts'
import type { ActionRecord, Agent, Notice } from '#ports/stores/agents.ts'
import type { User } from '#ports/stores/users.ts'
import { truncateAddress } from '../audit/truncate-address.ts'

/** Who manages agents, and from where. */
export type Manager = {
  readonly user: User
  /** The network address, as the throttle counts it. */
  readonly client: string
  readonly via: ActionRecord['via']
}

type What = {
  readonly actions: readonly ActionName[]
  readonly at: number
  readonly notice?: (agent: Agent, keyPrefix?: string) => Notice | undefined
}

export function recordBy(
  { user, client, via }: Manager,
  { actions, at, notice = () => undefined }: What,
): ActionRecord {
  return {
    actions,
    at,
    actor: { kind: via === 'cli' ? 'operator' : 'user', id: user.id, role: user.role },
    truncatedAddress: truncateAddress(client),
    via,
    notice,
  }
}
