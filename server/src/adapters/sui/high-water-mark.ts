import type { ChainSnapshot } from '#ports/staking-chain.ts'
import { check } from './decode.ts'

/** Remembers how far the chain was when it was last read, so that nobody is taken back. */
export type HighWaterMark = {
  /** Refuses an endpoint that is behind what was given out before. */
  checkReached(checkpoint: number): void
  /** Refuses a snapshot that is older than one that was given out before. */
  advanceTo(snapshot: ChainSnapshot): void
}

export function makeHighWaterMark(): HighWaterMark {
  let mark = { checkpoint: 0, epoch: 0 }
  const checkReached = (checkpoint: number) =>
    check(
      checkpoint >= mark.checkpoint,
      `checkpoint ${checkpoint} is older than the known ${mark.checkpoint}`,
    )
  return {
    checkReached,
    advanceTo({ checkpoint, epoch }) {
      checkReached(checkpoint)
      check(epoch.number >= mark.epoch, `epoch ${epoch.number} is older than the known ${mark.epoch}`)
      mark = { checkpoint, epoch: epoch.number }
    },
  }
}
