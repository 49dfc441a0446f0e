import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import { check } from './layouts/decode.ts'

/** Remembers the newest checkpoint that was served, so that no caller is taken back in time. */
export type HighWaterMark = {
  /** Throws for an endpoint behind the newest served checkpoint. */
  checkReached(checkpoint: number): void
  /** Throws for a snapshot older than one that was served. */
  advanceTo(snapshot: ChainSnapshot): void
}

/**
 * A mark that no endpoint has reached for `holdMs` is dropped, so that one false answer with a future checkpoint does
 * not exclude correct ones forever. The served view has its own check against going back.
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
