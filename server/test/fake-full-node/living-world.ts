import type { World } from './world.ts'

/** Sui makes about five checkpoints a second. */
const CHECKPOINT_MS = 200
const FIRST_CHECKPOINT_AT = Date.UTC(2023, 3, 12)

/** A world whose newest checkpoint always has the present time, as on a real node. */
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

/** Times of a described network whose epoch is a quarter over now. */
export function timesOfNow(durationMs: number) {
  const now = Date.now()
  return { startedAt: now - durationMs / 4, durationMs, checkpointAt: now }
}
