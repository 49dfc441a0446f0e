import type { ChainSnapshot, NetworkName } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Digest } from '#ports/digest.ts'
import type { SnapshotMark, Snapshots } from '#ports/stores/snapshots.ts'
import type { CurrentNetwork } from '../current-network.ts'
import { extendHistory, type History, isComplete, oldestKept } from '../history.ts'
import { type NetworkView, viewNetwork } from '../network-view.ts'
import { findProblem } from '../plausibility.ts'
import type { RefreshOutcome } from './refresh-network.ts'
import { basisOf, isNewer } from './view-basis.ts'

type Needs = {
  readonly name: NetworkName
  readonly snapshots: Snapshots
  readonly network: CurrentNetwork
  readonly clock: Clock
  readonly digest: Digest
}

/**
 * Serves the snapshot that another instance has stored, if it is newer; undefined otherwise. It is checked as if this
 * instance had read it. While the content stays the same, only one small row is read.
 */
export function takeStoredNetwork({ name, snapshots, network, clock, digest }: Needs) {
  /**
   * The last refused checkpoint, which is reported once. It is checked again because a wrong clock may be
   * corrected.
   */
  let refusedAt: number | undefined

  async function historyUpTo(snapshot: ChainSnapshot, history: History): Promise<History> {
    const { newestEpoch } = history
    const last = snapshot.epoch.number - 1
    if (newestEpoch !== undefined && newestEpoch >= last) return history
    const from = newestEpoch === undefined ? oldestKept(snapshot.epoch.number) : newestEpoch + 1
    return extendHistory(history, await snapshots.history(name, from), snapshot.rewards.shape)
  }

  return async (): Promise<RefreshOutcome | undefined> => {
    const present = network.peek()
    const seen = await snapshots.lastSeen(name)
    const now = clock.now()
    if (present && (seen === undefined || !isNewer(seen, present.snapshot, now))) return undefined
    const isSame = present !== undefined && seen?.contentId === present.contentId
    const snapshot = isSame ? atMark(present.snapshot, seen) : await snapshots.latest(name)
    if (snapshot === undefined) return undefined
    const problem = findProblem(snapshot, {
      network: name,
      previous: present?.snapshot,
      stakeOfEpoch: present?.stakeOfEpoch,
      now,
    })
    if (problem) {
      const isNew = snapshot.checkpoint !== refusedAt
      refusedAt = snapshot.checkpoint
      return isNew ? { kind: 'refused', reason: problem } : undefined
    }
    const basis = basisOf(snapshot, present, now)
    const history = await historyUpTo(snapshot, basis.history)
    const view = movedTo(viewNetwork(snapshot, history, digest, basis.reusable), seen)
    if (!network.replaceIf(present, view)) return undefined
    return {
      kind: 'accepted',
      epoch: view.snapshot.epoch.number,
      checkpointAt: view.snapshot.checkpointAt,
      historyComplete: isComplete(history, view.snapshot.epoch.number),
    }
  }
}

function atMark(snapshot: ChainSnapshot, { checkpoint, checkpointAt }: SnapshotMark): ChainSnapshot {
  return { ...snapshot, checkpoint, checkpointAt }
}

/** Advances the view to the newest checkpoint with the same content, which may be newer than the stored snapshot. */
function movedTo(view: NetworkView, seen: SnapshotMark | undefined): NetworkView {
  const isMoved = seen?.contentId === view.contentId && seen.checkpoint > view.snapshot.checkpoint
  return isMoved ? { ...view, snapshot: atMark(view.snapshot, seen) } : view
}
