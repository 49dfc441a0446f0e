/** Exponential backoff per unknown key id: each miss doubles the time without a fetch for it. */
type MissedKeys = {
  note(keyId: string, now: number): void
  isWorthAFetch(keyId: string, now: number): boolean
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 300_000
const MOST = 1_000

export function missedKeys(): MissedKeys {
  const missed = new Map<string, { readonly times: number; readonly quietUntil: number }>()
  return {
    note(keyId, now) {
      const times = (missed.get(keyId)?.times ?? 0) + 1
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1))
      missed.delete(keyId)
      missed.set(keyId, { times, quietUntil: now + pause })
      const [oldest] = missed.keys()
      if (missed.size > MOST && oldest !== undefined) missed.delete(oldest)
    },
    isWorthAFetch: (keyId, now) => now >= (missed.get(keyId)?.quietUntil ?? 0),
  }
}
