import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { SnapshotMark } from '#ports/stores/snapshots.ts'
import { replacesFuture } from '../../../basics/future-snapshot.ts'
import { type History, historyBefore, NO_HISTORY } from '../history.ts'
import type { NetworkView } from '../network-view.ts'

/** The inputs of the view of the next snapshot. */
export type ViewBasis = {
  readonly history: History
  /** The view whose computed values the next one may reuse. */
  readonly reusable: NetworkView | undefined
}

/**
 * Of a view dated in the future only the history of completed epochs is kept. Its stake must not become the reference
 * of the epoch, because the following snapshots would then be refused.
 */
export function basisOf(next: ChainSnapshot, present: NetworkView | undefined, now: number): ViewBasis {
  if (present === undefined) return { history: NO_HISTORY, reusable: undefined }
  if (!replacesFuture(next, present.snapshot, now)) return { history: present.history, reusable: present }
  return { history: historyBefore(present.history, next.epoch.number), reusable: undefined }
}

type Point = Pick<SnapshotMark, 'checkpoint' | 'checkpointAt'>

/** Whether a checkpoint is to be served instead of the present one. */
export const isNewer = (next: Point, present: Point, now: number): boolean =>
  next.checkpoint > present.checkpoint || replacesFuture(next, present, now)
