import type { Scope } from '#ports/stores/agents.ts'
import type { User } from '#ports/stores/users.ts'
import { call, type Fault, refusal } from '../../fault.ts'

/**
 * Whose agents the user may change: an admin everybody's, others their own — none, if the token proves no address.
 */
export function scopeOf(user: User): Scope | undefined {
  return user.role === 'admin' ? { kind: 'everybody' } : ownScope(user)
}

export function ownScope(user: User): Scope | undefined {
  const owner = ownerOf(user)
  return owner === undefined ? undefined : { kind: 'owner', owner }
}

/** The owner name of the user's agents; undefined if the token proves neither a mailbox nor a wallet. */
export const ownerOf = (user: User): string | undefined => user.email ?? user.wallet

export function adminOnly(user: User, action: string): Fault | undefined {
  return user.role === 'admin'
    ? undefined
    : refusal('forbidden', `Only an admin may ${action}.`, 'Ask the operator of the service.')
}

export function requireAdmin(user: User, action: string): void {
  const refused = adminOnly(user, action)
  if (refused) throw refused
}

/** The same refusal for a missing id and for an agent of somebody else, so that it reveals nothing. */
export function agentNotFound(): Fault {
  return refusal(
    'not_found',
    'There is no agent with this id that you may manage.',
    `${call('listAgents')} lists yours.`,
    { next: { endpoint: 'listAgents' } },
  )
}
