import type { World } from './world.ts'

/** Of Sui itself: about five a second. */
const CHECKPOINT_MS = 200
const FIRST_CHECKPOINT_AT = Date.UTC(2023, 3, 12)

/** A world whose newest checkpoint is always of this moment, as a real node's is. */
export function livingWorld(world: World): World {
  return {
    ...world,
    get checkpoint() {
      return Math.floor((Date.now() - FIRST_CHECKPOINT_AT) / CHECKPOINT_MS)
    },
    get checkpointAt() {
      return Date.now()
    },
  }
}

/** The times of a described network that has an epoch under way now. */
export function timesOfNow(durationMs: number) {
  const now = Date.now()
  return { startedAt: now - durationMs / 4, durationMs, checkpointAt: now }
}
