import { performance } from 'node:perf_hooks'

/** Schedules commits: one at a time; requests that arrive during one wait for the next. */
export type CommitSchedule = {
  /** Commits after the first turn of the event loop that brings no further request. */
  commitSoon(): void
  /** Commits after `ms` milliseconds, unless an earlier commit comes first. */
  commitWithin(ms: number): void
  /** Cancels a scheduled commit, then commits until no more is requested. */
  close(): Promise<void>
}

/**
 * A turn of the event loop accepts one connection, so requests on separate connections arrive one per turn
 * and would get a commit each. A commit waits while every turn brings a request, for at most this many turns.
 */
const MAX_TURNS_TO_GATHER = 16

/** After a batch of at most this size the next commit does not linger. */
const SMALL_BATCH = 8

/**
 * `commit` never rejects. After a large batch the next commit waits `lingerMs`, unless as many requests have arrived
 * as that batch answered. Without the wait the clients split into two halves that take turns, and batches are half as
 * large. Use it only if `lingerMs` is a small part of a commit's time.
 */
export function scheduleCommits(
  commit: (isLast: boolean) => Promise<void>,
  lingerMs = 0,
  now: () => number = () => performance.now(),
): CommitSchedule {
  let isWanted = false
  let requests = 0
  let lastBatch = 0
  let returned = 0
  let isClosed = false
  let running: Promise<void> | undefined
  let gathering: NodeJS.Immediate | undefined
  let lingering: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let dueAt = 0

  function gather(before: number, turns: number): void {
    if (requests > before && turns < MAX_TURNS_TO_GATHER) gatherNext(requests, turns + 1)
    else if (lingerMs > 0 && lastBatch > SMALL_BATCH && returned < lastBatch)
      lingering = setTimeout(run, lingerMs)
    else void run()
  }

  function gatherNext(before: number, turns: number): void {
    gathering = setImmediate(gather, before, turns)
  }

  async function run(): Promise<void> {
    isWanted = false
    // This commit includes everything that the timer was set for.
    clearTimeout(timer)
    timer = undefined
    lastBatch = requests
    requests = 0
    // Set before the commit starts, which may request the next one.
    running = Promise.resolve(false).then(commit)
    await running
    running = undefined
    returned = 0
    if (isWanted) gatherNext(0, 1)
  }

  async function runLast(): Promise<void> {
    do {
      isWanted = false
      await commit(true)
    } while (isWanted)
  }

  function commitSoon(): void {
    requests += 1
    returned += 1
    if (isWanted) return
    isWanted = true
    if (running === undefined) gatherNext(0, 1)
  }

  return {
    commitSoon,
    commitWithin(ms) {
      const wantedAt = now() + ms
      if (isClosed || (timer !== undefined && dueAt <= wantedAt)) return
      clearTimeout(timer)
      dueAt = wantedAt
      timer = setTimeout(() => {
        timer = undefined
        commitSoon()
      }, ms)
      timer.unref()
    },
    async close() {
      isClosed = true
      await running
      clearTimeout(timer)
      clearTimeout(lingering)
      clearImmediate(gathering)
      running = Promise.resolve().then(runLast)
      await running
      running = undefined
    },
  }
}
