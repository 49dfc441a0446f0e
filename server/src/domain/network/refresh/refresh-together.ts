import type { RefreshOutcome } from './refresh-network.ts'

/** An instance whose own reads bring nothing for this long lets another one try. */
const PATIENCE_MS = 20_000

/** Which of the instances that share a store reads the chain: one at a time. */
export type ReadingTurn = {
  isOurs(): boolean
  /** Lets another instance have it, if there is one. */
  handOver(): Promise<void>
}

type Needs = {
  /** Reads the chain itself. */
  readonly read: (deadline: AbortSignal) => Promise<RefreshOutcome>
  /** Takes what another instance has read. */
  readonly take: () => Promise<RefreshOutcome | undefined>
  /** Tells the others how far the chain was seen. */
  readonly tell: () => Promise<void>
  readonly turn: ReadingTurn
  /** Monotonic milliseconds. */
  readonly elapsed: () => number
}

/**
 * One instance, the holder of the lease, reads the chain and stores the snapshot; the others take it from the
 * store, so that many instances make no more calls than one. Others read the chain themselves only when the nodes
 * do not confirm a transaction, which cannot wait.
 */
export function refreshTogether({ read, take, tell, turn, elapsed }: Needs) {
  let newsAt = elapsed()
  let isOwnWanted = false

  async function readAndTell(deadline: AbortSignal): Promise<RefreshOutcome> {
    const outcome = await read(deadline)
    if (outcome.kind === 'accepted') {
      newsAt = elapsed()
      await tell()
    }
    return outcome
  }

  return {
    async refresh(deadline: AbortSignal): Promise<RefreshOutcome | undefined> {
      const isOwn = isOwnWanted
      isOwnWanted = false
      if (!turn.isOurs()) {
        newsAt = elapsed()
        return isOwn ? readAndTell(deadline) : take()
      }
      try {
        return await readAndTell(deadline)
      } finally {
        if (elapsed() - newsAt >= PATIENCE_MS) await turn.handOver()
      }
    },
    /** Between two refreshes, takes a snapshot that another instance has stored. */
    takeNews: async () => (turn.isOurs() ? undefined : take()),
    /** Makes the next refresh read the chain even without the lease. */
    wantOwn() {
      isOwnWanted = true
    },
  }
}
