import { performance } from 'node:perf_hooks'
import type { Admission, AdmissionRequest, Decision } from '#ports/stores/admission.ts'
import { Fault } from '../../../fault.ts'
import { scheduleCommits } from './commit-schedule.ts'
import type { Decided } from './decide.ts'
import { type Notes, openNotes } from './pending-notes.ts'

/** Delay before the retry of a failed commit, unless an admission comes first. */
const RETRY_MS = 500

/**
 * How long a failed commit is reported, unless another commit succeeds or fails before. It expires because an instance
 * that is not ready gets no requests, and without requests there may be no further commit.
 */
const FAILURE_MS = 10_000

/** The content of one commit: requests to decide, outcomes and refusals to record. */
export type Batch = Notes & { readonly requests: readonly AdmissionRequest[] }

/** The transactions of one engine. */
type AdmissionEngine = {
  /**
   * Decides and records a batch in one transaction; resolves after its commit. When it rejects, no request
   * was admitted. `late` is aborted when the requests time out.
   */
  commit(batch: Batch, late: AbortSignal | undefined): Promise<readonly Decided[]>
  /** Whether a commit is needed even without requests and notes. */
  hasMore?(): boolean
  /** Whether the engine keeps the notes of the commit that just failed, because its outcome is unknown. */
  keepsNotes?(): boolean
  /** Upper bound of requests per batch: its locks are held until the commit. */
  readonly largestBatch: number
  /** Upper bound of the queue. Further requests are refused: they would wait longer than their callers do. */
  readonly mostWaiting: number
  /** How long a commit waits for clients that the last one answered. */
  readonly lingerMs: number
  /** How long outcomes wait for an admission to be committed with. */
  readonly outcomeLingerMs: number
  /** Timeout of a request; undefined: the engine's own waits are bounded. */
  readonly timeoutMs: number | undefined
}

type GroupCommit = Pick<Admission, 'admit' | 'finish' | 'noteRefusal' | 'failure'> &
  AsyncDisposable & { commitWithin(ms: number): void }

type Waiting = {
  readonly request: AdmissionRequest
  readonly since: number
  readonly resolve: (decision: Decision) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Admission by group commit: requests that arrive during a commit form the next batch, and each is answered
 * after the commit that records it. As durable as a commit per request, at a fraction of the cost.
 */
export function openGroupCommit(engine: AdmissionEngine): GroupCommit {
  const { largestBatch, mostWaiting, timeoutMs } = engine
  const schedule = scheduleCommits(commitBatch, engine.lingerMs)
  const notes = openNotes(schedule, engine.outcomeLingerMs)
  let waiting: Waiting[] = []
  let failed: { readonly at: number; readonly cause: unknown } | undefined

  async function commitBatch(isLast: boolean): Promise<void> {
    const admitting = waiting.length <= largestBatch ? waiting : waiting.slice(0, largestBatch)
    waiting = waiting.slice(admitting.length)
    if (waiting.length > 0) schedule.commitSoon()
    const taken = notes.take(isLast)
    const isEmpty = admitting.length + taken.outcomes.length + taken.refusals.length === 0
    if (isEmpty && !engine.hasMore?.()) return
    const timeout = timeoutMs === undefined ? undefined : startTimeout(admitting, timeoutMs)
    const requests = admitting.map(({ request }) => request)
    try {
      const decisions = await engine.commit({ requests, ...taken }, timeout?.signal)
      failed = undefined
      admitting.forEach(({ resolve, reject }, place) => {
        const decided = decisions[place]
        if (decided === undefined || decided instanceof Error) reject(decided)
        else resolve(decided)
      })
    } catch (cause) {
      failed = { at: performance.now(), cause }
      if (!engine.keepsNotes?.()) notes.giveBack(taken)
      schedule.commitWithin(RETRY_MS)
      refuseAll(timeout ? [...admitting, ...takeWaiting()] : admitting, cause)
    } finally {
      timeout?.end()
    }
  }

  function takeWaiting(): readonly Waiting[] {
    const taken = waiting
    waiting = []
    return taken
  }

  /** Also refuses the next batch: its requests wait for the same store and have waited almost as long. */
  function startTimeout(admitting: readonly Waiting[], ms: number) {
    const late = new AbortController()
    const giveUp = () => {
      late.abort(new Error('the store takes too long'))
      refuseAll([...admitting, ...takeWaiting()], late.signal.reason)
    }
    const [longest] = admitting
    const timer = setTimeout(giveUp, longest ? Math.max(1, longest.since + ms - performance.now()) : ms)
    return { signal: late.signal, end: () => clearTimeout(timer) }
  }

  return {
    admit(request) {
      if (waiting.length >= mostWaiting) return Promise.reject(toRefusal(undefined))
      return new Promise((resolve, reject) => {
        waiting.push({ request, since: timeoutMs === undefined ? 0 : performance.now(), resolve, reject })
        schedule.commitSoon()
      })
    },
    finish: notes.finish,
    noteRefusal: notes.noteRefusal,
    failure: () =>
      failed && performance.now() - failed.at < FAILURE_MS ? toRefusal(failed.cause) : undefined,
    commitWithin: schedule.commitWithin,
    [Symbol.asyncDispose]: schedule.close,
  }
}

/** A request that is not counted must not be served. Rejecting a settled promise has no effect. */
function refuseAll(waiting: readonly Waiting[], cause: unknown): void {
  const fault = toRefusal(cause)
  for (const { reject } of waiting) reject(fault)
}

function toRefusal(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  return new Fault(
    'store_not_ready',
    'The request could not be recorded, so it was not served. Try again shortly.',
    { cause, retryAfterSeconds: 1 },
  )
}
