import { truncateAddress } from '#domain/audit/truncate-address.ts'
import type { Clock } from '#ports/clock.ts'
import type { Admission, BuildNote, Ticket } from '#ports/stores/admission.ts'
import { toFault } from './error-body.ts'

/**
 * What the audit log records about a request when it ends. Plain data, not a closure: a closure held by something
 * that outlives the request would survive until the next full garbage collection, with everything it captures.
 */
export type AuditEntry = {
  readonly at: number
  /** What the log calls the request; undefined: the transport's own name for it, such as the route. */
  label: string | undefined
  /** Set once the request is admitted; without one it is recorded as refused. */
  ticket: Ticket | undefined
  /** Admission has been asked and has not decided yet. */
  isPending: boolean
  /** The status of the call, where the transport has another one for its own envelope. */
  status: number | undefined
  outcome: { readonly status: number; readonly latencyMs: number } | undefined
  /** What is known of a build so far; undefined: it is none. */
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

/** Most broken rules and characters that the log keeps of a refusal: an agent can have builds refused all day. */
const MOST_BROKEN = 5
const MOST_CHARACTERS = 240

/** Says why a build is refused. Texts of faults repeat nothing that the caller sent. */
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
      message: broken.length > 0 ? undefined : message.slice(0, MOST_CHARACTERS).toWellFormed(),
      broken: broken.slice(0, MOST_BROKEN),
    },
  })
}

/** Records bytes that never became a request, as refused with this status. */
export type RecordMalformed = (client: string, status: number) => void

/** What the log calls bytes that were no request. */
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

/** Records a request that has an outcome and is not pending; otherwise nothing happens, and it is called again later. */
export type RecordOutcome = (entry: AuditEntry, label: string, client: string) => void

/**
 * Every request is recorded once, as admitted or as refused. A client may leave while admission still decides; its
 * outcome is then held in the entry until it is known what to record it as.
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
