import type { ChainSnapshot, EpochRecord, StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Digest } from '#ports/digest.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import { Fault } from '../../../fault.ts'
import type { CurrentNetwork } from '../current-network.ts'
import { extendHistory, type History, isComplete, NO_HISTORY, oldestKept } from '../history.ts'
import { type NetworkView, viewNetwork } from '../network-view.ts'
import { findProblem, findProblemOfRecords } from '../plausibility.ts'
import { basisOf, isNewer, type ViewBasis } from './view-basis.ts'

/** An unchanged snapshot is saved again after this, so that after a restart it does not appear older than it is. */
const SAVE_AGAIN_MS = 60_000
/** Epochs of history that a first start reads, enough to score the validators. */
const FIRST_EPOCHS = 90
/** The time limit of a first start for reading history, before it reads the current snapshot again. */
const PAST_AT_ONCE_MS = 20_000

export type RefreshOutcome =
  | {
      readonly kind: 'accepted'
      readonly epoch: number
      readonly checkpointAt: number
      /** False: the past could not be read up to this epoch; the next refresh continues. */
      readonly historyComplete: boolean
    }
  | { readonly kind: 'refused'; readonly reason: string }

type Needs = {
  readonly chain: StakingChain
  readonly snapshots: Snapshots
  readonly network: CurrentNetwork
  readonly clock: Clock
  readonly digest: Digest
}

/** The view of the last stored snapshot, served until the chain has been read. */
export async function storedView({
  chain,
  snapshots,
  digest,
}: Pick<Needs, 'chain' | 'snapshots' | 'digest'>): Promise<NetworkView | undefined> {
  const snapshot = await snapshots.latest(chain.network)
  if (!snapshot) return undefined
  const records = await snapshots.history(chain.network, oldestKept(snapshot.epoch.number))
  const history = extendHistory(NO_HISTORY, records, snapshot.rewards.shape)
  return viewNetwork(snapshot, history, digest)
}

/**
 * Reads the chain and serves the snapshot if it is plausible and newer; otherwise the old view stays. If a snapshot of
 * another instance was taken meanwhile, the one read is compared with that.
 */
export function refreshNetwork({ chain, snapshots, network, clock, digest }: Needs) {
  let savedAt = Number.NEGATIVE_INFINITY
  return async (deadline: AbortSignal): Promise<RefreshOutcome> => {
    const before = network.peek()
    const snapshot = await chain.readSnapshot(deadline)
    for (;;) {
      const present = network.peek()
      if (present && present !== before && !isNewer(snapshot, present.snapshot, clock.now()))
        return accepted(present.snapshot, isComplete(present.history, present.snapshot.epoch.number))
      const outcome = await accept(snapshot, present, deadline)
      if (outcome) return outcome
    }
  }

  /** Undefined if the current view was replaced before the snapshot could be served: the caller tries again. */
  async function accept(
    snapshot: ChainSnapshot,
    present: NetworkView | undefined,
    deadline: AbortSignal,
  ): Promise<RefreshOutcome | undefined> {
    const now = clock.now()
    const problem = findProblem(snapshot, {
      network: chain.network,
      previous: present?.snapshot,
      stakeOfEpoch: present?.stakeOfEpoch,
      now,
    })
    if (problem) return { kind: 'refused', reason: problem }
    const basis = basisOf(snapshot, present, now)
    if (present && basis.history.newestEpoch !== undefined) return extend(snapshot, present, basis, deadline)
    // Reading history takes many calls. On a first start the snapshot is served meanwhile, also by other instances.
    const first = viewNetwork(snapshot, basis.history, digest, basis.reusable)
    if (!network.replaceIf(present, first)) return undefined
    await snapshots.save(snapshot, [], oldestKept(snapshot.epoch.number), now)
    const { history } = first
    const timeout = AbortSignal.any([deadline, AbortSignal.timeout(PAST_AT_ONCE_MS)])
    return extend(snapshot, first, { history, reusable: first }, timeout)
  }

  /** Serves the snapshot with the epochs that have ended since `present`. */
  async function extend(
    snapshot: ChainSnapshot,
    present: NetworkView,
    { history, reusable }: ViewBasis,
    deadline: AbortSignal,
  ): Promise<RefreshOutcome | undefined> {
    const records = await readNewEpochs(chain, history, snapshot, deadline).catch((failure) => {
      if (isUnavailable(failure)) return undefined
      throw failure
    })
    if (records === undefined && present.snapshot === snapshot) return accepted(snapshot, false)
    const problem = records && findProblemOfRecords(records, snapshot)
    if (problem) return { kind: 'refused', reason: problem }

    const extended = records ? extendHistory(history, records, snapshot.rewards.shape) : history
    const view = viewNetwork(snapshot, extended, digest, reusable)
    await save(view, records ?? [], present)
    return network.replaceIf(present, view) ? accepted(snapshot, records !== undefined) : undefined
  }

  async function save(
    view: NetworkView,
    records: readonly EpochRecord[],
    present: NetworkView,
  ): Promise<void> {
    const isOld = Math.abs(clock.now() - savedAt) >= SAVE_AGAIN_MS
    if (!isOld && records.length === 0 && view.contentId === present.contentId) return
    const now = clock.now()
    await snapshots.save(view.snapshot, records, oldestKept(view.snapshot.epoch.number), now)
    savedAt = now
  }
}

const accepted = ({ epoch, checkpointAt }: ChainSnapshot, historyComplete: boolean): RefreshOutcome => ({
  kind: 'accepted',
  epoch: epoch.number,
  checkpointAt,
  historyComplete,
})

/** A node that serves the present may refuse history, which takes more calls than its rate limit allows. */
const isUnavailable = (failure: unknown): boolean =>
  failure instanceof Fault && failure.code === 'rpc_unavailable'

async function readNewEpochs(
  chain: StakingChain,
  history: History,
  snapshot: ChainSnapshot,
  deadline: AbortSignal,
): Promise<readonly EpochRecord[]> {
  const epoch = snapshot.epoch.number
  const newest = history.newestEpoch
  const from = newest === undefined ? epoch - FIRST_EPOCHS : Math.max(newest + 1, oldestKept(epoch))
  return from < epoch ? chain.readEpochs(Math.max(0, from), deadline) : []
}
