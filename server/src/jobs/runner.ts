import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'

/** Background work on a timer. Runs of one job never overlap. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  /** Timeout of one run. */
  readonly deadlineMs: number
  /** Runs on the leader only. */
  readonly isForLeader?: boolean
  run(deadline: AbortSignal): Promise<void>
}

export type JobRunner = AsyncDisposable & {
  /** Starts every job's timer. */
  start(): void
  /**
   * Waits for a run that starts now or later, so that it sees the caller's changes; rejects if the run fails.
   * Calls during a run share the next one.
   */
  runNow(name: string): Promise<void>
}

type Needs = {
  readonly logger: Logger
  readonly meters: Meters
  /** Whether this instance holds the leader's lease. */
  readonly isLeader: () => boolean
}

export function openJobs(jobs: readonly Job[], { logger, meters, isLeader }: Needs): JobRunner {
  const stopping = new AbortController()
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Map<string, Promise<void>>()
  const following = new Map<string, Promise<void>>()

  function runOnce(job: Job): Promise<void> {
    const present = running.get(job.name)
    if (present) return present
    const run = timed(job).finally(() => running.delete(job.name))
    running.set(job.name, run)
    return run
  }

  function runAfresh(job: Job): Promise<void> {
    const present = running.get(job.name)
    if (!present) return runOnce(job)
    const next = following.get(job.name) ?? present.catch(() => undefined).then(() => runNext(job))
    following.set(job.name, next)
    return next
  }

  function runNext(job: Job): Promise<void> {
    following.delete(job.name)
    return runOnce(job)
  }

  async function timed(job: Job): Promise<void> {
    const startedAt = performance.now()
    const deadline = AbortSignal.any([stopping.signal, AbortSignal.timeout(job.deadlineMs)])
    try {
      await job.run(deadline)
      meters.jobFinished(job.name, 'done', (performance.now() - startedAt) / 1000)
    } catch (error) {
      meters.jobFinished(job.name, 'failed', (performance.now() - startedAt) / 1000)
      throw error
    }
  }

  function plan(job: Job, delayMs: number): void {
    if (stopping.signal.aborted) return
    const timer = setTimeout(async () => {
      try {
        if (!job.isForLeader || isLeader()) await runOnce(job)
      } catch (error) {
        if (!stopping.signal.aborted) logger.error('job failed', error, { job: job.name })
      }
      plan(job, job.everyMs)
    }, delayMs)
    timer.unref()
    timers.set(job.name, timer)
  }

  return {
    start() {
      for (const job of jobs) plan(job, job.everyMs)
    },
    async runNow(name) {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job) throw new Error(`There is no job called ${name}.`)
      await runAfresh(job)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.allSettled([...running.values(), ...following.values()])
    },
  }
}
