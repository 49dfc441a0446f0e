/** Rows folded in one step, which blocks requests. */
const STEP_ROWS = 512
/** The pause between two steps, in which requests can commit. */
const PAUSE_MS = 10
/** Steps are larger at the end, when no request waits for a commit. */
const LAST_STEP_ROWS = 16_384

type Needs = {
  /** Folds this many rows. */
  readonly foldMore: (count: number) => Promise<void>
  readonly isFolded: () => boolean
  /** Commits that have written into the journal. */
  readonly journaledCommits: () => number
  readonly idleMs: number
}

/** Folds the journal of counters when nothing has been written into it for `idleMs`, and when the service stops. */
export function foldWhenIdle(needs: Needs): AsyncDisposable & { noteCommit(): void } {
  const { foldMore, isFolded, journaledCommits, idleMs } = needs
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let seen = 0

  function wait(ms: number): void {
    timer = isClosed ? undefined : setTimeout(() => void step(), ms).unref()
  }

  async function step(): Promise<void> {
    const isIdle = seen === journaledCommits()
    seen = journaledCommits()
    const hasFolded = isIdle && (await fold(STEP_ROWS))
    timer = undefined
    if (!isFolded()) wait(hasFolded ? PAUSE_MS : idleMs)
  }

  /**
   * Whether folding succeeded. Its error is not reported here: the next request has the same problem and reports it.
   */
  const fold = (count: number): Promise<boolean> =>
    foldMore(count).then(
      () => true,
      () => false,
    )

  return {
    noteCommit: () => void (timer || isFolded() || wait(idleMs)),
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      // Entries that cannot be folded stay in the journal until the next start.
      while (!isFolded() && (await fold(LAST_STEP_ROWS)));
    },
  }
}
