import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import { check } from './layouts/decode.ts'

/** Remembers how far the chain was when it was last read, so that nobody is taken back. */
export type HighWaterMark = {
  /** Refuses an endpoint that is behind what was given out before. */
  checkReached(checkpoint: number): void
  /** Refuses a snapshot that is older than one that was given out before. */
  advanceTo(snapshot: ChainSnapshot): void
}

/**
 * A mark that nobody has reached for a while was perhaps never true: one answer that runs ahead must not shut out
 * every right one for good. What is served has a memory of its own, and does not go back either.
 */
export function makeHighWaterMark(clock: Clock, holdMs: number): HighWaterMark {
  let mark = { checkpoint: 0, epoch: 0, at: Number.NEGATIVE_INFINITY }
  const holds = () => Math.abs(clock.now() - mark.at) < holdMs
  const checkReached = (checkpoint: number) =>
    check(
      !holds() || checkpoint >= mark.checkpoint,
      `checkpoint ${checkpoint} is older than the known ${mark.checkpoint}`,
    )
  return {
    checkReached,
    advanceTo({ checkpoint, epoch: { number } }) {
      checkReached(checkpoint)
      check(!holds() || number >= mark.epoch, `epoch ${number} is older than the known ${mark.epoch}`)
      mark = { checkpoint, epoch: number, at: clock.now() }
    },
  }
}
