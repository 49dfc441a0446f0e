import type { Admission, AdmissionRequest, AdmissionRules, Decision, Ticket } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../fault.ts'
import { openAddressHits } from './address-hits.ts'
import { openSubjects, type Subjects, type Verdict } from './admission-subjects.ts'
import { gatherRefusals, MAX_BATCH, type Outcome, ticketNumber, toIntent } from './audit-batch.ts'
import { openAuditChain } from './audit-chain.ts'
import type { SqliteStore } from './sqlite.ts'

/** Outcomes and refusals ride along with the next admissions; without any they are written after this. */
const LINGER_MS = 20
/** More than this are not even queued: they would wait longer than their callers do. */
const MAX_WAITING = MAX_BATCH

type Waiting = {
  readonly request: AdmissionRequest
  readonly resolve: (decision: Decision) => void
  readonly reject: (reason: unknown) => void
}

type Needs = { readonly store: SqliteStore; readonly rules: AdmissionRules; readonly clock: Clock }

/**
 * Admission on the embedded store by group commit: the requests of one turn of the event loop are decided together
 * and share one transaction, and each is answered after its commit. As durable as a commit per request, and much
 * cheaper.
 */
export async function openSqliteAdmission(needs: Needs): Promise<Admission & AsyncDisposable> {
  const { store, rules, clock } = needs
  const { subjects, chain, addresses } = await store.exclusive((database) => ({
    subjects: openSubjects(database, rules),
    chain: openAuditChain(database),
    addresses: openAddressHits(database),
  }))
  const refusals = gatherRefusals()
  let waiting: Waiting[] = []
  let outcomes: Outcome[] = []
  let isPlanned = false
  let lingering: NodeJS.Timeout | undefined

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    setImmediate(flush)
  }

  function linger(): void {
    if (!isPlanned) lingering ??= setTimeout(plan, LINGER_MS)
  }

  async function flush(): Promise<void> {
    isPlanned = false
    clearTimeout(lingering)
    lingering = undefined
    const admitting = waiting
    const finished = outcomes
    const refused = refusals.take()
    waiting = []
    outcomes = []
    try {
      const decisions = await store.exclusive((database) => {
        database.exec('begin immediate')
        const seq = chain.nextSeq()
        const decided = admitting.map(({ request }, place) => decide(subjects, request, seq, place))
        const intents = decided.flatMap((decision, place) => {
          const request = admitting[place]?.request
          return decision.kind === 'admitted' && request ? [toIntent(decision.ticket, request)] : []
        })
        const hash = chain.append(clock.now(), { i: intents, o: finished, r: refused })
        subjects.write()
        addresses.write()
        database.exec('commit')
        chain.committed(hash)
        addresses.committed()
        return decided
      })
      admitting.forEach(({ resolve }, place) => {
        const decision = decisions[place]
        if (decision) resolve(decision)
      })
    } catch (cause) {
      // What could not be noted waits for the next commit; who could not be counted is not let in.
      outcomes = finished.concat(outcomes)
      refusals.giveBack(refused)
      const fault = storeFault(cause)
      for (const { reject } of admitting) reject(fault)
    } finally {
      subjects.forget()
    }
  }

  return {
    admit(request) {
      if (waiting.length >= MAX_WAITING) return Promise.reject(storeFault(undefined))
      return new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        plan()
      })
    },
    finish(ticket, status, latencyMicros) {
      outcomes.push([ticket.number, ticket.agentNo ?? 0, status, Math.round(latencyMicros)])
      linger()
    },
    noteRefusal(refusal) {
      refusals.add(refusal)
      linger()
    },
    noteAddress(count) {
      addresses.note(count)
      linger()
    },
    addressCounts: (minuteStart) => store.exclusive(() => addresses.load(minuteStart)),
    [Symbol.asyncDispose]: flush,
  }
}

function decide(subjects: Subjects, request: AdmissionRequest, seq: number, place: number): Decision {
  const { claim } = request
  if (claim.kind === 'nobody') {
    const ticket = { number: ticketNumber(seq, place), agentNo: undefined }
    return { kind: 'admitted', ticket, agent: undefined, quota: undefined }
  }
  const verdict =
    claim.kind === 'agent-key'
      ? subjects.decideForAgent(claim.digest, request)
      : subjects.decideForUser(claim.userId, claim.limits, request)
  return toDecision(verdict, ticketNumber(seq, place))
}

function toDecision({ outcome, agent }: Verdict, number: number): Decision {
  if (outcome.kind !== 'admit') return outcome
  const ticket: Ticket = { number, agentNo: agent?.no }
  return { kind: 'admitted', ticket, agent, quota: outcome.quota }
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
