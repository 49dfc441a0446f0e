import type { ChainSnapshot, EpochRecord, StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Digest } from '#ports/digest.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import { Fault } from '../../../fault.ts'
import type { CurrentNetwork } from '../current-network.ts'
import { extendHistory, type History, NO_HISTORY, oldestKept } from '../history.ts'
import { type NetworkView, viewNetwork } from '../network-view.ts'
import { findProblem, findProblemOfRecords } from '../plausibility.ts'

/** An unchanged snapshot is written again after this, so that a restart does not make it look older than it is. */
const SAVE_AGAIN_MS = 60_000
/** Epochs of history that a first start reads, enough to score the validators. */
const FIRST_EPOCHS = 90
/** How long a first start reads the past before it looks at the present again. */
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

/** Serves what was stored last, before the chain has been asked. */
export function restoreNetwork({ chain, snapshots, network, digest }: Needs) {
  return async (): Promise<void> => {
    const snapshot = await snapshots.latest(chain.network)
    if (!snapshot) return
    const records = await snapshots.history(chain.network, oldestKept(snapshot.epoch.number))
    const history = extendHistory(NO_HISTORY, records, snapshot.rewards.shape)
    network.replace(viewNetwork(snapshot, history, digest))
  }
}

/** Reads the chain, and serves what it says if that is plausible and newer; otherwise the old view stays. */
export function refreshNetwork({ chain, snapshots, network, clock, digest }: Needs) {
  let savedAt = Number.NEGATIVE_INFINITY
  return async (deadline: AbortSignal): Promise<RefreshOutcome> => {
    const present = network.peek()
    const snapshot = await chain.readSnapshot(deadline)
    const known = {
      network: chain.network,
      previous: present?.snapshot,
      stakeOfEpoch: present?.stakeOfEpoch,
      now: clock.now(),
    }
    const problem = findProblem(snapshot, known)
    if (problem) return { kind: 'refused', reason: problem }

    const history = present?.history ?? NO_HISTORY
    const accepted = {
      kind: 'accepted',
      epoch: snapshot.epoch.number,
      checkpointAt: snapshot.checkpointAt,
    } as const
    const isFirst = history.newestEpoch === undefined
    // History takes many calls. On a first start the present snapshot is served meanwhile, also by other instances.
    if (isFirst) {
      network.replace(viewNetwork(snapshot, history, digest, present))
      await snapshots.save(snapshot, [], oldestKept(snapshot.epoch.number))
    }
    const within = isFirst ? AbortSignal.any([deadline, AbortSignal.timeout(PAST_AT_ONCE_MS)]) : deadline
    const records = await readNewEpochs(chain, history, snapshot, within).catch((failure) => {
      if (isUnavailable(failure)) return undefined
      throw failure
    })
    if (records === undefined) {
      if (!isFirst) await keepAndServe(viewNetwork(snapshot, history, digest, present), [], present)
      return { ...accepted, historyComplete: false }
    }
    const problemOfRecords = findProblemOfRecords(records, snapshot)
    if (problemOfRecords) return { kind: 'refused', reason: problemOfRecords }

    const extended = extendHistory(history, records, snapshot.rewards.shape)
    await keepAndServe(viewNetwork(snapshot, extended, digest, present), records, present)
    return { ...accepted, historyComplete: true }
  }

  async function keepAndServe(
    view: NetworkView,
    records: readonly EpochRecord[],
    present: NetworkView | undefined,
  ): Promise<void> {
    const { snapshot } = view
    const isOld = Math.abs(clock.now() - savedAt) >= SAVE_AGAIN_MS
    if (isOld || records.length > 0 || view.contentId !== present?.contentId) {
      await snapshots.save(snapshot, records, oldestKept(snapshot.epoch.number))
      savedAt = clock.now()
    }
    network.replace(view)
  }
}

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
