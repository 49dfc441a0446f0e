import type { RefreshOutcome } from './refresh-network.ts'

/** A holder without an accepted read for this long hands the lease over. */
const HAND_OVER_AFTER_MS = 20_000

/** The lease whose holder reads the chain for all instances that share the store. */
type ReaderLease = {
  isHeld(): boolean
  /** Lets another instance acquire it, if there is one. */
  handOver(): Promise<void>
}

type Needs = {
  /** Reads the chain itself. */
  readonly read: (deadline: AbortSignal) => Promise<RefreshOutcome>
  /** Takes the snapshot that another instance has stored. */
  readonly take: () => Promise<RefreshOutcome | undefined>
  /** Tells the other instances the newest checkpoint seen. */
  readonly publish: () => Promise<void>
  readonly lease: ReaderLease
  /** Monotonic milliseconds. */
  readonly elapsed: () => number
}

/**
 * The holder of the lease reads the chain and stores the snapshot; other instances take it from the store, so that
 * many instances make no more calls than one. Others read the chain themselves only if the nodes do not confirm a
 * transaction, which cannot wait.
 */
export function refreshByLeader({ read, take, publish, lease, elapsed }: Needs) {
  let newsAt = elapsed()
  let mustReadOwn = false

  async function readAndPublish(deadline: AbortSignal): Promise<RefreshOutcome> {
    const outcome = await read(deadline)
    if (outcome.kind === 'accepted') {
      newsAt = elapsed()
      await publish()
    }
    return outcome
  }

  return {
    async refresh(deadline: AbortSignal): Promise<RefreshOutcome | undefined> {
      const isOwn = mustReadOwn
      mustReadOwn = false
      if (!lease.isHeld()) {
        newsAt = elapsed()
        return isOwn ? readAndPublish(deadline) : take()
      }
      try {
        return await readAndPublish(deadline)
      } finally {
        if (elapsed() - newsAt >= HAND_OVER_AFTER_MS) await lease.handOver()
      }
    },
    /** Between two refreshes, takes a snapshot that another instance has stored. */
    takeNews: async () => (lease.isHeld() ? undefined : take()),
    /** Makes the next refresh read the chain even without the lease. */
    forceOwnRead() {
      mustReadOwn = true
    },
  }
}
