/** Resolution of last uses: a write per use would cost as much as the request. */
const RESOLUTION_MS = 60_000
const MAX_KNOWN = 10_000

/** Last uses of named keys: noted with each admission, written at most once a minute per key. */
export function openKeyUses() {
  const written = new Map<string, number>()
  const changed = new Map<string, number>()
  return {
    note(keyId: string, at: number): void {
      const last = written.get(keyId)
      if (last === undefined || at - last >= RESOLUTION_MS) changed.set(keyId, at)
    },
    changed: (): ReadonlyMap<string, number> => changed,
    committed(): void {
      if (changed.size === 0) return
      if (written.size > MAX_KNOWN) written.clear()
      for (const [keyId, at] of changed) written.set(keyId, at)
      changed.clear()
    },
    forget(): void {
      written.clear()
      changed.clear()
    },
  }
}
