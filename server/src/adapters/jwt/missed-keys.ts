/** Exponential backoff per unknown key id: each miss doubles the time without a fetch for it. */
type MissedKeys = {
  note(keyId: string, now: number): void
  isWorthAFetch(keyId: string, now: number): boolean
}

type Missed = { readonly times: number; readonly at: number }

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 300_000
const MOST = 1_000

export function missedKeys(): MissedKeys {
  const missed = new Map<string, Missed>()
  return {
    note(keyId, now) {
      const times = (missed.get(keyId)?.times ?? 0) + 1
      missed.delete(keyId)
      missed.set(keyId, { times, at: now })
      const [oldest] = missed.keys()
      if (missed.size > MOST && oldest !== undefined) missed.delete(oldest)
    },
    isWorthAFetch(keyId, now) {
      const last = missed.get(keyId)
      // A clock that steps back must not make the pause longer.
      return last === undefined || Math.abs(now - last.at) >= pauseAfter(last)
    },
  }
}

const pauseAfter = ({ times }: Missed): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (times - 1))
