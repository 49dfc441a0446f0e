import { HOUR_MS } from '../../durations.ts'
import { hitTable, type KeyHash } from './hit-table.ts'

/** An admitted credential stays known for at least this long. */
const KNOWN_MS = HOUR_MS

/** Stores seeded hashes, no credentials. Two generations, so that a credential in use is never forgotten. */
export function knownCredentials() {
  let recent = hitTable()
  let older = hitTable()
  let startedAt = Number.NEGATIVE_INFINITY

  function rotate(now: number): void {
    if (Math.abs(now - startedAt) < KNOWN_MS) return
    older = recent
    recent = hitTable()
    startedAt = now
  }

  return {
    add(credential: KeyHash, now: number): void {
      rotate(now)
      recent.add(credential, 1)
    },
    has(credential: KeyHash, now: number): boolean {
      rotate(now)
      return recent.hits(credential) + older.hits(credential) > 0
    },
  }
}
