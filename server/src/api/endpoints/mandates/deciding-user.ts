import type { User } from '#ports/stores/users.ts'

type Deciding = { readonly id: string; readonly role: 'user' | 'admin' }

/** Who did it, as far as the viewer may know: admins see everybody, a user itself, and a key, which is no user, nobody. */
export function toDecidingUser({ id, role }: Deciding, viewer: User | undefined) {
  const isVisible = viewer?.role === 'admin' || viewer?.id === id
  return { id: isVisible ? id : null, role }
}
