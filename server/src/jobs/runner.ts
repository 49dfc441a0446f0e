import type { Logger } from '#ports/logger.ts'
import type { JobOutcome, Meters } from '#ports/meters.ts'

/** Background work on a timer. Runs of one job never overlap. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  /** Timeout of one run. Its callers are rejected then, even if it goes on. */
  readonly deadlineMs: number
  /** Runs on the leader only. */
  readonly isForLeader?: boolean
  run(deadline: AbortSignal): Promise<void>
}

export type JobRunner = AsyncDisposable & {
  /** Starts every job's timer. */
  start(): void
  /**
   * Waits for a run that starts now or later, so that it sees the caller's changes; rejects if the run fails or is late.
   * Calls during a run share the next one.
   */
  runNow(name: string): Promise<void>
}

/** Grace of a run after its signal was aborted; after that it is late, and a stop does not wait for it. */
const ABORT_MS = 2_000

type Run = {
  /** Rejects when the run fails or is late. */
  readonly result: Promise<void>
  /** Settles when the run has really ended, even after its deadline. */
  readonly over: Promise<void>
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
  const running = new Map<string, Run>()
  const following = new Map<string, Promise<void>>()

  function runOnce(job: Job): Run {
    const present = running.get(job.name)
    if (present) return present
    const deadline = AbortSignal.any([stopping.signal, AbortSignal.timeout(job.deadlineMs)])
    const work = job.run(deadline)
    const forget = () => void running.delete(job.name)
    const over = work.then(forget, forget)
    const run = { result: timed(job, work, deadline), over }
    running.set(job.name, run)
    return run
  }

  function runAfterPresent(job: Job): Promise<void> {
    const present = running.get(job.name)
    if (!present) return runOnce(job).result
    const next = following.get(job.name) ?? present.result.catch(() => undefined).then(() => runNext(job))
    following.set(job.name, next)
    return next
  }

  /** Runs never overlap: if the present run is late, this returns its result. */
  function runNext(job: Job): Promise<void> {
    following.delete(job.name)
    return runOnce(job).result
  }

  async function timed(job: Job, work: Promise<void>, deadline: AbortSignal): Promise<void> {
    const startedAt = performance.now()
    let outcome: JobOutcome = 'failed'
    try {
      outcome = await endOf(work, deadline)
    } finally {
      meters.jobFinished(job.name, outcome, (performance.now() - startedAt) / 1000)
    }
    if (outcome === 'late') throw new Error(`The job goes on after its deadline of ${job.deadlineMs} ms.`)
  }

  function plan(job: Job, delayMs: number): void {
    if (stopping.signal.aborted) return
    const timer = setTimeout(async () => {
      try {
        if (!job.isForLeader || isLeader()) await runOnce(job).result
      } catch (error) {
        if (!stopping.signal.aborted) logger.error('job failed', error, { job: job.name })
      }
      await running.get(job.name)?.over
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
      await runAfterPresent(job)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      const results = [...running.values()].map(({ result }) => result)
      await Promise.allSettled([...results, ...following.values()])
      for (const job of running.keys()) logger.warn('a job did not end before the stop', { job })
    },
  }
}

async function endOf(work: Promise<void>, deadline: AbortSignal): Promise<'done' | 'late'> {
  const late = Promise.withResolvers<'late'>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(late.resolve, ABORT_MS, 'late')
  }
  if (deadline.aborted) onAbort()
  deadline.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work.then(() => 'done' as const), late.promise])
  } finally {
    deadline.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }
}
