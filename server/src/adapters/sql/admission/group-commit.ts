/** When to commit: at most one turn at a time, and whatever is wanted during one waits for the next. */
export type Turns = {
  /** As soon as a turn of the event loop brings nobody else. */
  now(): void
  /** So many milliseconds from now, unless a turn is due before. */
  after(ms: number): void
  /** Takes one more turn and none by itself after that. */
  last(): Promise<void>
}

/**
 * A turn of the event loop accepts one connection. Callers with a connection each therefore come one turn after the
 * other, and would get a commit each: it waits while every turn brings somebody, but not for more turns than this.
 */
const MOST_TURNS_TO_GATHER = 16

/** Whoever is one of a few gets a turn at once. */
const FEW = 8

/**
 * `take` never rejects. After a turn of many the next one waits `lingerMs` for those who were answered by it, until as
 * many have come again, where that is a small part of what a turn takes: otherwise they would get every other turn.
 */
export function openTurns(take: (isLast: boolean) => Promise<void>, lingerMs = 0): Turns {
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
    // This turn takes what the timer is for.
    clearTimeout(timer)
    timer = undefined
    askedBefore = asked
    asked = 0
    // Known to run before it does: a turn may ask for the next one while it begins.
    running = Promise.resolve(false).then(take)
    await running
    running = undefined
    cameAgain = 0
    if (isWanted) setImmediate(gather, 0, 1)
  }

  function now(): void {
    asked += 1
    cameAgain += 1
    if (isWanted) return
    isWanted = true
    if (running === undefined) setImmediate(gather, 0, 1)
  }

  return {
    now,
    after(ms) {
      if (isClosed || (timer !== undefined && waitMs <= ms)) return
      clearTimeout(timer)
      waitMs = ms
      timer = setTimeout(() => {
        timer = undefined
        now()
      }, ms)
      timer.unref()
    },
    async last() {
      isClosed = true
      clearTimeout(timer)
      await running
      await take(true)
    },
  }
}
