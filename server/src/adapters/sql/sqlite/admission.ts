import type { Admission, AdmissionRequest, AdmissionRules, Decision } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../fault.ts'
import { openTurns } from '../admission/group-commit.ts'
import { openNotes } from '../admission/pending-notes.ts'
import { MAX_BATCH } from '../audit/batch.ts'
import type { AuditSeal } from '../audit/seal.ts'
import { openAddressHits } from './address-hits.ts'
import { openAuditChain } from './audit-chain.ts'
import { isOfNobody, openCommit } from './commit.ts'
import type { SqliteStore } from './open.ts'

/** Outcomes and counts of addresses ride along with the next admissions; without any they are written after this. */
const LINGER_MS = 20
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
  const turns = openTurns(takeTurn)
  const notes = openNotes(turns, LINGER_MS)
  let waiting: Waiting[] = []

  async function takeTurn(isLast: boolean): Promise<void> {
    const admitting = waiting
    const noted = notes.take(isLast)
    waiting = []
    const { outcomes, refusals } = noted
    if (admitting.length + outcomes.length + refusals.length === 0 && addresses.isEmpty()) return
    const batch = { requests: admitting.map(({ request }) => request), ...noted, at: clock.now() }
    try {
      const decisions = await store.exclusive(() => commit(batch), isOfNobody(batch) ? 'light' : 'usual')
      decisions.forEach((decision, place) => {
        admitting[place]?.resolve(decision)
      })
    } catch (cause) {
      // What could not be noted waits for the next commit; who could not be counted is not let in.
      notes.giveBack(noted)
      turns.after(RETRY_MS)
      const fault = storeFault(cause)
      for (const { reject } of admitting) reject(fault)
    }
  }

  return {
    finish: notes.finish,
    noteRefusal: notes.noteRefusal,
    admit(request) {
      // More than fit into one batch would wait longer than their callers do.
      if (waiting.length >= MAX_BATCH) return Promise.reject(storeFault(undefined))
      return new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        turns.now()
      })
    },
    noteAddress(count) {
      addresses.note(count)
      turns.after(LINGER_MS)
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
