import type { Holder } from './holder.ts'

export type StoredHolder = readonly [agentId: string, ownerId: string, networkId: string | null, day: number]

/** Stores each holder once: a key may hold many tokens, which refer to it by its index. */
export function holderTable() {
  const rows: StoredHolder[] = []
  const known = new Map<string, number>()
  return {
    rows,
    indexOf(holder: Holder | undefined): readonly [number] | readonly [] {
      if (holder === undefined) return []
      const { agentId, ownerId, networkId, day } = holder
      const key = `${agentId} ${ownerId} ${networkId} ${day}`
      const index = known.get(key) ?? rows.push([agentId, ownerId, networkId ?? null, day]) - 1
      known.set(key, index)
      return [index]
    },
  }
}

export const toHolder = ([agentId, ownerId, networkId, day]: StoredHolder): Holder => ({
  agentId,
  ownerId,
  networkId: networkId ?? undefined,
  day,
})

export function heldBy(holders: readonly Holder[], index: number | undefined): { readonly holder?: Holder } {
  const holder = index === undefined ? undefined : holders[index]
  return holder ? { holder } : {}
}
