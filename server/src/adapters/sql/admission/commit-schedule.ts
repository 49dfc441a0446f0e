/** When to commit: at most one commit at a time, and whatever is requested during one waits for the next. */
export type CommitSchedule = {
  /** Commits as soon as a turn of the event loop brings no further request. */
  commitSoon(): void
  /** Commits so many milliseconds from now, unless a commit comes before. */
  commitWithin(ms: number): void
  /** Commits once more, and never by itself after that. */
  close(): Promise<void>
}

/**
 * A turn of the event loop accepts one connection, so callers with a connection each arrive one turn after the other and
 * would get a commit each. A commit waits while every turn brings a request, but not for more turns than this.
 */
const MOST_TURNS_TO_GATHER = 16

/** After a batch of so many or fewer the next commit does not linger. */
const FEW = 8

/**
 * `commit` never rejects. After a large batch the next one waits `lingerMs` for the callers that were answered by it,
 * until as many have come again, where that is a small part of what a commit takes: otherwise they would be in every
 * other batch only.
 */
export function scheduleCommits(commit: (isLast: boolean) => Promise<void>, lingerMs = 0): CommitSchedule {
  let isWanted = false
  let asked = 0
  let askedBefore = 0
  let cameAgain = 0
  let isClosed = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let waitMs = 0

  function gather(before: number, turns: number): void {
    if (asked > before && turns < MOST_TURNS_TO_GATHER) setImmediate(gather, asked, turns + 1)
    else if (lingerMs > 0 && askedBefore > FEW && cameAgain < askedBefore) setTimeout(run, lingerMs)
    else run()
  }

  async function run(): Promise<void> {
    isWanted = false
    // This commit takes what the timer is for.
    clearTimeout(timer)
    timer = undefined
    askedBefore = asked
    asked = 0
    // Set before it runs: a commit may request the next one while it begins.
    running = Promise.resolve(false).then(commit)
    await running
    running = undefined
    cameAgain = 0
    if (isWanted) setImmediate(gather, 0, 1)
  }

  function commitSoon(): void {
    asked += 1
    cameAgain += 1
    if (isWanted) return
    isWanted = true
    if (running === undefined) setImmediate(gather, 0, 1)
  }

  return {
    commitSoon,
    commitWithin(ms) {
      if (isClosed || (timer !== undefined && waitMs <= ms)) return
      clearTimeout(timer)
      waitMs = ms
      timer = setTimeout(() => {
        timer = undefined
        commitSoon()
      }, ms)
      timer.unref()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
      await commit(true)
    },
  }
}
