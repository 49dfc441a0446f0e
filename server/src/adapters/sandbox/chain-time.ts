import { YEAR_MS } from '../../durations.ts'
import { completeEpoch, REMEMBERED_EPOCHS, selectNextCommittee } from './staking/epoch-change.ts'
import { absentMembers, announceCommissions } from './staking/operators.ts'
import type { World } from './world/world.ts'
import { forkWorld } from './world/world.ts'

/** A year's rewards are fixed, so the yield does not depend on how long an epoch is. */
export function rewardPerEpoch(world: World, epochMs: number): bigint {
  return (world.rewardsPerYear * BigInt(Math.round(epochMs))) / BigInt(YEAR_MS)
}

/** Ends the present epoch at `endedAt` and opens the next one. */
export function turnEpoch(world: World, epochMs: number, endedAt: number): void {
  const reward = rewardPerEpoch(world, epochMs)
  completeEpoch(world, { reward, missed: absentMembers(world), endedAt })
  announceCommissions(world)
}

/**
 * Advances the world to the time `now`. Returns the same object if nothing is due.
 *
 * After a long stop, at most `REMEMBERED_EPOCHS` epochs are run; the epoch in which the chain stopped lasts longer
 * instead, as on a real chain that halts. If the clock steps back, nothing is undone: the present epoch lasts longer.
 * A step back of more than an epoch counts as a correction of the clock: the present epoch starts again at `now`,
 * because the chain would otherwise stand still until the clock reaches the old time. Recorded end times are then
 * cut to `now`, and `changedAt` is set to the end of the epoch, the latest time of any read, so that checkpoints never
 * go back.
 */
export function catchUp(world: World, epochMs: number, now: number): World {
  const missed = Math.floor((now - world.epochStartedAt) / epochMs)
  const corrected = missed < -1
  const selectable = world.nextCommittee === undefined && now - world.epochStartedAt >= epochMs / 2
  if (missed < 1 && !corrected && !selectable) return world

  const draft = forkWorld(world)
  if (corrected) {
    draft.changedAt = Math.max(draft.changedAt, draft.epochStartedAt + epochMs)
    draft.epochStartedAt = now
    draft.history = draft.history.map((row) => ({ ...row, endedAt: Math.min(row.endedAt, now) }))
  }
  const due = Math.min(missed, REMEMBERED_EPOCHS)
  const lastEnd = draft.epochStartedAt + missed * epochMs
  for (let left = due - 1; left >= 0; left -= 1) turnEpoch(draft, epochMs, lastEnd - left * epochMs)
  const isPastMiddle = now - draft.epochStartedAt >= epochMs / 2
  if (isPastMiddle && draft.nextCommittee === undefined) selectNextCommittee(draft)
  return draft
}

/**
 * Completes the present epoch and `epochs` − 1 more. The new epoch starts at `now`, or at the start of the present one
 * if a clock that was ahead had set that later.
 */
export function advanceEpochs(draft: World, epochMs: number, epochs: number, now: number): void {
  const endedAt = Math.max(now, draft.epochStartedAt)
  for (let done = 0; done < epochs; done += 1) turnEpoch(draft, epochMs, endedAt)
}
