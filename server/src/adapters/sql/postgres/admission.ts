import { performance } from 'node:perf_hooks'
import type { Admission, AdmissionRequest, AdmissionRules, Decision } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../../fault.ts'
import { openTurns } from '../admission/group-commit.ts'
import { openNotes } from '../admission/pending-notes.ts'
import type { AuditSeal } from '../audit/seal.ts'
import { openPostgresChain } from './audit-chain.ts'
import { openPostgresCommit } from './commit.ts'
import { isMissingPartition } from './errors.ts'
import { openPostgresLane } from './lane.ts'
import type { PostgresStore } from './open.ts'

/** What could not be written is tried again after this, or with the next admission. */
const RETRY_MS = 500
/** A commit takes several times as long. */
const LINGER_MS = 1
/** Longer than callers who come again and again are away: a commit for outcomes alone costs as much as one for all. */
const OUTCOME_LINGER_MS = 100
/** Locks are held for a batch, so it must not be too large; the rest comes with the next one. */
const LARGEST_BATCH = 1_000
const MOST_WAITING = 16_384
const DAY_MS = 86_400_000

type Waiting = {
  readonly request: AdmissionRequest
  readonly since: number
  readonly resolve: (decision: Decision) => void
  readonly reject: (reason: unknown) => void
}

type Needs = {
  readonly store: PostgresStore
  readonly rules: AdmissionRules
  readonly seal: AuditSeal
  readonly clock: Clock
  /** Names the chain of this process in the audit log: no two processes ever have the same. */
  readonly instance: string
}

/**
 * Admission for many instances on one Postgres, by group commit: the requests that came while a batch was decided are
 * the next batch. Rows are locked while they are decided upon, so the limits hold over all instances to the last
 * request, and the clock of the store says which window it is.
 */
export async function openPostgresAdmission(needs: Needs): Promise<Admission & AsyncDisposable> {
  const { store, rules, seal, clock, instance } = needs
  await using opened = new AsyncDisposableStack()
  const lane = opened.use(openPostgresLane(store))
  const chain = openPostgresChain({ instance, seal })
  const days = store.auditDays
  await days.prepareAhead(dayOf(clock.now()))
  const commit = openPostgresCommit({ lane, rules, chain, clock })
  const turns = openTurns(takeTurn, LINGER_MS)
  const notes = openNotes(turns, OUTCOME_LINGER_MS)
  // Connecting and one answer: whoever waits is told within a second, whatever the store does.
  const patienceMs = store.patience.connectMs + store.patience.statementMs
  const waiting: Waiting[] = []

  async function takeTurn(isLast: boolean): Promise<void> {
    const admitting = waiting.splice(0, LARGEST_BATCH)
    if (waiting.length > 0) turns.now()
    const noted = notes.take(isLast)
    if (admitting.length + noted.outcomes.length + noted.refusals.length === 0) return
    const late = new AbortController()
    const giveUp = () => {
      late.abort(new Error('the store takes too long'))
      refuse([...admitting, ...waiting.splice(0)], late.signal.reason)
    }
    const timer = setTimeout(giveUp, patienceLeft(admitting[0], patienceMs))
    const requests = admitting.map(({ request }) => request)
    try {
      await days.ensure(dayOf(clock.now()))
      const decisions = await commit({ requests, ...noted }, late.signal)
      decisions.forEach((decision, place) => {
        admitting[place]?.resolve(decision)
      })
    } catch (cause) {
      // Who could not be counted is not let in.
      notes.giveBack(noted)
      if (isMissingPartition(cause)) days.forget()
      turns.after(RETRY_MS)
      refuse([...admitting, ...waiting.splice(0)], cause)
    } finally {
      clearTimeout(timer)
    }
  }

  opened.defer(() => turns.last())
  const resources = opened.move()
  return {
    admit(request) {
      if (waiting.length >= MOST_WAITING) return Promise.reject(storeFault(undefined))
      return new Promise((resolve, reject) => {
        waiting.push({ request, since: performance.now(), resolve, reject })
        turns.now()
      })
    },
    finish: notes.finish,
    noteRefusal: notes.noteRefusal,
    // Instances count addresses together, where they are counted: nothing is left to be kept here.
    noteAddress() {},
    addressCounts: async () => [],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const dayOf = (moment: number): number => Math.floor(moment / DAY_MS)

const patienceLeft = (longest: Waiting | undefined, patienceMs: number): number =>
  longest ? Math.max(1, longest.since + patienceMs - performance.now()) : patienceMs

/** Whoever was answered already is not answered again. */
function refuse(waiting: readonly Waiting[], cause: unknown): void {
  const fault = storeFault(cause)
  for (const { reject } of waiting) reject(fault)
}

function storeFault(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  return new Fault(
    'store_not_ready',
    'The request could not be recorded, so it was not served. Try again shortly.',
    { cause, retryAfterSeconds: 1 },
  )
}
