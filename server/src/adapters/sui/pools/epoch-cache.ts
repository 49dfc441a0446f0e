import type { Conversation } from '../connection/conversation.ts'

/**
 * One value per host for the present epoch. Hosts are kept apart, so that the answers of a host whose reading was
 * refused are never part of the snapshot of another one.
 */
export function epochCache<T>(make: () => T): (talk: Conversation, epoch: number) => T {
  const byHost = new Map<string, { readonly epoch: number; readonly value: T }>()
  return ({ host }, epoch) => {
    const cached = byHost.get(host)
    if (cached?.epoch === epoch) return cached.value
    const value = make()
    byHost.set(host, { epoch, value })
    return value
  }
}
