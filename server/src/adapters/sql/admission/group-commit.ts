import { performance } from 'node:perf_hooks'
import type { Admission, AdmissionRequest, Decision } from '#ports/stores/admission.ts'
import { Fault } from '../../../fault.ts'
import { scheduleCommits } from './commit-schedule.ts'
import type { Decided } from './decide.ts'
import { type Notes, openNotes } from './pending-notes.ts'

/** After a commit that failed the next one comes after this, or with the next admission. */
const RETRY_MS = 500

/** What one commit decides and records. */
export type Batch = Notes & { readonly requests: readonly AdmissionRequest[] }

/** The transactions of one kind of store. */
export type AdmissionEngine = {
  /**
   * Decides and records a batch in one transaction, and resolves after its commit. When it rejects, nobody was
   * admitted. `late` is aborted when the requests are given up.
   */
  commit(batch: Batch, late: AbortSignal | undefined): Promise<readonly Decided[]>
  /** Whether there is something to write without any request or note. */
  hasMore?(): boolean
  /** Whether the engine keeps the notes of the commit that has just failed, until it knows whether they were recorded. */
  keepsNotes?(): boolean
  /** Locks are held for a batch, so it must not be too large. */
  readonly largestBatch: number
  /** Requests beyond these are refused: they would wait longer than their callers do. */
  readonly mostWaiting: number
  /** How long the next commit waits for the callers of the one before. */
  readonly lingerMs: number
  /** How long outcomes wait for an admission to go with. */
  readonly outcomeLingerMs: number
  /** How long a request waits at most; undefined: the engine itself is bounded. */
  readonly patienceMs: number | undefined
}

export type GroupCommit = Pick<Admission, 'admit' | 'finish' | 'noteRefusal'> &
  AsyncDisposable & { commitWithin(ms: number): void }

type Waiting = {
  readonly request: AdmissionRequest
  readonly since: number
  readonly resolve: (decision: Decision) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Admission by group commit: the requests that come while a batch is committed are the next batch, and each is answered
 * after the commit that records it. As durable as a commit per request, and much cheaper.
 */
export function openGroupCommit(engine: AdmissionEngine): GroupCommit {
  const { largestBatch, mostWaiting, patienceMs } = engine
  const schedule = scheduleCommits(commitBatch, engine.lingerMs)
  const notes = openNotes(schedule, engine.outcomeLingerMs)
  let waiting: Waiting[] = []

  async function commitBatch(isLast: boolean): Promise<void> {
    const admitting = waiting.length <= largestBatch ? waiting : waiting.slice(0, largestBatch)
    waiting = waiting.slice(admitting.length)
    if (waiting.length > 0) schedule.commitSoon()
    const taken = notes.take(isLast)
    const isEmpty = admitting.length + taken.outcomes.length + taken.refusals.length === 0
    if (isEmpty && !engine.hasMore?.()) return
    const patience = patienceMs === undefined ? undefined : watchPatience(admitting, patienceMs)
    const requests = admitting.map(({ request }) => request)
    try {
      const decisions = await engine.commit({ requests, ...taken }, patience?.signal)
      admitting.forEach(({ resolve, reject }, place) => {
        const decided = decisions[place]
        if (decided === undefined || decided instanceof Error) reject(decided)
        else resolve(decided)
      })
    } catch (cause) {
      if (!engine.keepsNotes?.()) notes.giveBack(taken)
      schedule.commitWithin(RETRY_MS)
      refuseAll(patience ? [...admitting, ...takeWaiting()] : admitting, cause)
    } finally {
      patience?.end()
    }
  }

  function takeWaiting(): readonly Waiting[] {
    const taken = waiting
    waiting = []
    return taken
  }

  /** Requests of the next batch are refused too: they wait for the same store, and have waited almost as long. */
  function watchPatience(admitting: readonly Waiting[], ms: number) {
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
        waiting.push({ request, since: patienceMs === undefined ? 0 : performance.now(), resolve, reject })
        schedule.commitSoon()
      })
    },
    finish: notes.finish,
    noteRefusal: notes.noteRefusal,
    commitWithin: schedule.commitWithin,
    [Symbol.asyncDispose]: schedule.close,
  }
}

/** An uncounted request must not be served. Promises that are settled already ignore it. */
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
