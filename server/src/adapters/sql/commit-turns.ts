import { performance } from 'node:perf_hooks'

/** When to commit: at most one turn at a time, and whatever is wanted during one waits for the next. */
export type Turns = {
  /** With the next turn of the event loop. */
  now(): void
  /** So many milliseconds from now, unless a turn is due before. */
  after(ms: number): void
  /** Takes one more turn and none by itself after that. */
  last(): Promise<void>
}

/** `take` never rejects. */
export function openTurns(take: (isLast: boolean) => Promise<void>): Turns {
  let isWanted = false
  let isClosed = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let due = 0

  async function run(): Promise<void> {
    isWanted = false
    // Known to run before it does: a turn may ask for the next one while it begins.
    running = Promise.resolve(false).then(take)
    await running
    running = undefined
    if (isWanted) setImmediate(run)
  }

  function now(): void {
    if (isWanted) return
    isWanted = true
    if (running === undefined) setImmediate(run)
  }

  return {
    now,
    after(ms) {
      const wanted = performance.now() + ms
      if (isClosed || (timer !== undefined && due <= wanted)) return
      clearTimeout(timer)
      due = wanted
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
