/** Rows folded in one step, which blocks requests. */
const STEP_ROWS = 512
/** The next step waits, so that requests can commit first. */
const PAUSE_MS = 10
/** At the end nobody waits for a commit. */
const LAST_STEP_ROWS = 16_384

type Needs = {
  /** Folds so many rows. */
  readonly foldMore: (count: number) => Promise<void>
  readonly isFolded: () => boolean
  /** Commits that have written into the journal. */
  readonly journaledCommits: () => number
  readonly idleMs: number
}

/** Folds the journal of counters once nothing was written into it for a moment, and at the end. */
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

  /** Whether it could be done: whoever asks meets the same trouble, and is told of it. */
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
      // What cannot be folded stays in the journal, and is folded at the next start.
      while (!isFolded() && (await fold(LAST_STEP_ROWS)));
    },
  }
}
