import type { User } from '#ports/stores/users.ts'

type Deciding = { readonly id: string; readonly role: 'user' | 'admin' }

/**
 * Admins see the id of every user, a user only their own; for an agent's key (`viewer` undefined) all ids are hidden.
 */
export function toDecidingUser({ id, role }: Deciding, viewer: User | undefined) {
  const isVisible = viewer?.role === 'admin' || viewer?.id === id
  return { id: isVisible ? id : null, role }
}
