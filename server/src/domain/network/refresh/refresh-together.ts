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
  /** Milliseconds that no clock can turn back. */
  readonly elapsed: () => number
}

/**
 * Of many instances one reads the chain and stores what it read; the others take it from there, so that any number of
 * them asks the nodes no more than one would. Nobody reads beside the one whose turn it is, but for a transaction that
 * the nodes do not confirm: that cannot wait.
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
    /** Between two refreshes: what others have read meanwhile. */
    takeNews: async () => (turn.isOurs() ? undefined : take()),
    /** The next refresh reads the chain, whoever's turn it is. */
    wantOwn() {
      isOwnWanted = true
    },
  }
}
