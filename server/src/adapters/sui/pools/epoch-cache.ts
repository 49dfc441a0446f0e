import type { Conversation } from '../connection/conversation.ts'

/**
 * Caches one value per host for the present epoch. Separate per host, so that answers of a refused host never get into
 * the snapshot of another one.
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
