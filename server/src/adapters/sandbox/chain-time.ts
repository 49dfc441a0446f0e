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
 * The world as the clock says it should be, or the same world when nothing is due.
 *
 * After a long stop at most as many epochs are made up for as are remembered; before them, the epoch at which the
 * chain stood still simply lasted longer, as it does on a real chain that halts. A clock that steps back moves
 * nothing back: the present epoch lasts longer. A step of more than an epoch is taken for a correction, and the
 * present epoch is counted from the corrected time on, so that the chain does not stand still until it is reached.
 * Epochs then have ended by now, and checkpoints do not go back: no read came later than the end of the epoch.
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

/** Completes the present epoch and `epochs` − 1 more; the new one starts now, or where a fast clock had got to. */
export function advanceEpochs(draft: World, epochMs: number, epochs: number, now: number): void {
  const endedAt = Math.max(now, draft.epochStartedAt)
  for (let done = 0; done < epochs; done += 1) turnEpoch(draft, epochMs, endedAt)
}
