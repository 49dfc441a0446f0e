import { truncateAddress } from '#domain/audit/truncate-address.ts'
import type { Clock } from '#ports/clock.ts'
import type { Admission, BuildNote, Ticket } from '#ports/stores/admission.ts'
import { toFault } from './error-body.ts'

/**
 * What the audit log records about a request when it ends. Plain data instead of a closure, because a closure would
 * keep all that it captures in memory for as long as a longer-lived object refers to it.
 */
export type AuditEntry = {
  readonly at: number
  /** Name of the request in the log; undefined: the one that the transport gives it, such as the route. */
  label: string | undefined
  /** Set once the request is admitted. A request without a ticket is recorded as refused. */
  ticket: Ticket | undefined
  /** Whether the decision of admission is still outstanding. */
  isPending: boolean
  /** The status of the call, if the transport's envelope has another one. */
  status: number | undefined
  outcome: { readonly status: number; readonly latencyMs: number } | undefined
  /** The details of a build, as far as they are known; undefined: the call is no build. */
  build: BuildNote | undefined
}

export const newAuditEntry = (at: number): AuditEntry => ({
  at,
  label: undefined,
  ticket: undefined,
  isPending: false,
  status: undefined,
  outcome: undefined,
  build: undefined,
})

/** The entry of a call, for the handlers of builds. */
export type BuildEntry = Pick<AuditEntry, 'build'>

const NOTHING_KNOWN: BuildNote = { amount: undefined, approvalId: undefined, refusal: undefined }

export function noteBuild(entry: BuildEntry, known: Partial<BuildNote>): void {
  entry.build = { ...NOTHING_KNOWN, ...entry.build, ...known }
}

/** Upper bounds for the broken rules and characters stored of one refusal, because refusals can be many. */
const MAX_BROKEN = 5
const MAX_CHARACTERS = 240

/** Notes why a build is refused. Messages of faults never contain text that the caller sent. */
export function noteRefusedBuild(entry: BuildEntry, error: unknown): void {
  const { code, message, details = [] } = toFault(error)
  const broken = details.flatMap(({ rule, limit, actual, clearsAt = null }) =>
    rule === undefined || limit === undefined || actual === undefined
      ? []
      : [{ rule, limit, actual, clearsAt }],
  )
  noteBuild(entry, {
    refusal: {
      code,
      message: broken.length > 0 ? undefined : message.slice(0, MAX_CHARACTERS).toWellFormed(),
      broken: broken.slice(0, MAX_BROKEN),
    },
  })
}

/** Records bytes that could not be parsed as a request, as refused with this status. */
export type RecordMalformed = (client: string, status: number) => void

/** Name in the log of bytes that could not be parsed as a request. */
const MALFORMED = '(malformed)'

type MalformedNeeds = { readonly admission: Admission; readonly clock: Clock }

export const recordMalformed =
  ({ admission, clock }: MalformedNeeds): RecordMalformed =>
  (client, status) =>
    admission.noteRefusal({
      endpoint: MALFORMED,
      status,
      at: clock.now(),
      truncatedAddress: truncateAddress(client),
    })

/** Records a request that has an outcome and is not pending. Does nothing before; both events call it. */
export type RecordOutcome = (entry: AuditEntry, label: string, client: string) => void

/**
 * Records each request once, as admitted or as refused. If the client disconnects before admission has decided, the
 * outcome stays in the entry until the decision.
 */
export function recordOutcomes({ admission }: { readonly admission: Admission }): RecordOutcome {
  return (entry, label, client) => {
    const { at, ticket, isPending, outcome } = entry
    if (outcome === undefined || isPending) return
    const status = entry.status ?? outcome.status
    if (ticket !== undefined) admission.finish(ticket, status, outcome.latencyMs * 1000, entry.build)
    else {
      const truncatedAddress = truncateAddress(client)
      admission.noteRefusal({ endpoint: entry.label ?? label, status, at, truncatedAddress })
    }
  }
}
