import { performance } from 'node:perf_hooks'
import type { Admission, AdmissionRequest, AdmissionRules, Decision } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../fault.ts'
import { openAddressHits } from './address-hits.ts'
import { openCommit } from './admission-batch.ts'
import { MAX_BATCH, type Outcome } from './audit-batch.ts'
import { openAuditChain } from './audit-chain.ts'
import type { AuditSeal } from './audit-seal.ts'
import { openTurns } from './commit-turns.ts'
import type { SqliteStore } from './sqlite.ts'
import { weighRefusals } from './weigh-refusals.ts'

/** Outcomes and counts ride along with the next admissions; without any they are written after this. */
const OUTCOME_LINGER_MS = 20
/** Refusals wait for this long, so that equal ones of a second become one entry. */
const REFUSAL_LINGER_MS = 1_000
/** What could not be written is tried again after this, or with the next admission. */
const RETRY_MS = 500
/** Limits stand still as long as the clock has to catch up: from this on an operator should know. */
const CLOCK_TOLERANCE_MS = 300_000

type Waiting = {
  readonly request: AdmissionRequest
  readonly resolve: (decision: Decision) => void
  readonly reject: (reason: unknown) => void
}

type Needs = {
  readonly store: SqliteStore
  readonly rules: AdmissionRules
  readonly seal: AuditSeal
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Admission on the embedded store by group commit: the requests of one turn of the event loop are decided together
 * and share one transaction, and each is answered after its commit. As durable as a commit per request, and much
 * cheaper.
 */
export async function openSqliteAdmission(needs: Needs): Promise<Admission & AsyncDisposable> {
  const { store, clock } = needs
  const { commit, addresses } = await openParts(needs)
  const refusals = weighRefusals()
  const turns = openTurns(takeTurn)
  let waiting: Waiting[] = []
  let outcomes: Outcome[] = []
  let refusedSince = 0

  async function takeTurn(isLast: boolean): Promise<void> {
    const admitting = waiting
    const finished = outcomes
    const areRefusalsDue = isLast || performance.now() - refusedSince >= REFUSAL_LINGER_MS
    const refused = areRefusalsDue ? refusals.take() : []
    waiting = []
    outcomes = []
    if (!refusals.isEmpty()) turns.after(REFUSAL_LINGER_MS)
    if (admitting.length + finished.length + refused.length === 0 && addresses.isEmpty()) return
    const requests = admitting.map(({ request }) => request)
    const batch = { requests, outcomes: finished, refusals: refused, at: clock.now() }
    try {
      const decisions = await store.exclusive(() => commit(batch))
      decisions.forEach((decision, place) => {
        admitting[place]?.resolve(decision)
      })
    } catch (cause) {
      // What could not be noted waits for the next commit; who could not be counted is not let in.
      outcomes = finished.concat(outcomes)
      refusals.giveBack(refused)
      turns.after(RETRY_MS)
      const fault = storeFault(cause)
      for (const { reject } of admitting) reject(fault)
    }
  }

  return {
    admit(request) {
      // More than fit into one batch would wait longer than their callers do.
      if (waiting.length >= MAX_BATCH) return Promise.reject(storeFault(undefined))
      return new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        turns.now()
      })
    },
    finish(ticket, status, latencyMicros) {
      outcomes.push([ticket.number, ticket.agentNo ?? 0, status, Math.round(latencyMicros)])
      turns.after(OUTCOME_LINGER_MS)
    },
    noteRefusal(refusal) {
      if (refusals.isEmpty()) refusedSince = performance.now()
      refusals.add(refusal)
      turns.after(REFUSAL_LINGER_MS)
    },
    noteAddress(count) {
      addresses.note(count)
      turns.after(OUTCOME_LINGER_MS)
    },
    addressCounts: (minuteStart) => store.exclusive(() => addresses.load(minuteStart)),
    [Symbol.asyncDispose]: () => turns.last(),
  }
}

function openParts({ store, rules, seal, clock, logger }: Needs) {
  return store.exclusive((database) => {
    const chain = openAuditChain(database, seal)
    // Serving goes on, from where the log was left: the break stays in it for `audit verify` to find.
    if (!chain.endsAsLeft()) logger.warn('the audit log does not end where this service has left it')
    const behindMs = (chain.newestAt() ?? 0) - clock.now()
    if (behindMs > CLOCK_TOLERANCE_MS) logger.warn('the clock is behind the audit log', { behindMs })
    const addresses = openAddressHits(database)
    return { addresses, commit: openCommit(database, { rules, chain, addresses }) }
  })
}

function storeFault(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  return new Fault(
    'store_not_ready',
    'The request could not be recorded, so it was not served. Try again shortly.',
    {
      cause,
      retryAfterSeconds: 1,
    },
  )
}
