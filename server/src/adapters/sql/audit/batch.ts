import { hash } from 'node:crypto'
import type { AdmissionRequest, BuildNote, BuildRefusal, Ticket } from '#ports/stores/admission.ts'

/**
 * The audit log is a chain of batches, one per commit. A batch is one row of JSON, because a row and an index
 * entry per request would cost several times as much as the request itself.
 */
export type AuditBatch = {
  /** Admitted requests: ticket, time, agent number (0: none), endpoint, truncated address, id of a named key. */
  readonly i: readonly AdmittedRequest[]
  /** Outcomes of admitted requests: ticket, agent number (0: none), status, microseconds, details of a build. */
  readonly o: readonly Outcome[]
  /** Refused requests: second (of the first), endpoint, status, truncated address, count. */
  readonly r: readonly WeightedRefusal[]
}

export type AdmittedRequest = readonly [
  ticket: number,
  at: number,
  agentNo: number,
  endpoint: string,
  address: string,
  /** Left out for primary keys, so that most requests take no more room. */
  keyId?: string,
]
export type Outcome = readonly [
  ticket: number,
  agentNo: number,
  status: number,
  micros: number,
  /** Only for builds. */
  build?: LoggedBuild,
]

/** `BuildNote` with short names: amount, approval, error, message, broken rules. Undefined fields are left out. */
type LoggedBuild = {
  readonly a?: string
  readonly p?: string
  readonly e?: BuildRefusal['code']
  readonly m?: string
  readonly b?: readonly (readonly [rule: string, limit: string, actual: string, clearsAt: string | null])[]
}
export type WeightedRefusal = readonly [
  second: number,
  endpoint: string,
  status: number,
  address: string,
  weight: number,
]

/** A ticket encodes its batch and its place there, so tickets need no counter of their own. */
const PLACES = 16_384
export const MAX_BATCH = PLACES
export const ticketNumber = (seq: number, place: number): number => seq * PLACES + place
export const batchOfTicket = (ticket: number): number => Math.floor(ticket / PLACES)

/** Each hash covers all earlier batches: changing, dropping, swapping or adding one breaks the chain. */
export const chainHash = (previous: string, seq: number, day: number, body: string): string =>
  hash('sha256', `${previous}\n${seq}\n${day}\n${body}`, 'hex')

/** The distinct agents of a batch. */
export function agentsIn({ i: admitted, o: outcomes }: AuditBatch): ReadonlySet<number> {
  const agents = new Set<number>()
  for (const [, , agentNo] of admitted) agents.add(agentNo)
  for (const [, agentNo] of outcomes) agents.add(agentNo)
  agents.delete(0)
  return agents
}

/** Time of the newest request; undefined: outcomes only. */
export function newestIn({ i: admitted, r: refusals }: AuditBatch): number | undefined {
  const times = [...admitted.map(([, at]) => at), ...refusals.map(([second]) => second * 1000)]
  return times.length > 0 ? Math.max(...times) : undefined
}

export function toAdmittedRequest(
  ticket: Ticket,
  request: AdmissionRequest,
  keyId: string | undefined,
): AdmittedRequest {
  const { at, label, endpoint, truncatedAddress } = request
  const agentNo = ticket.agentNo ?? 0
  return keyId === undefined
    ? [ticket.number, at, agentNo, label ?? endpoint, truncatedAddress]
    : [ticket.number, at, agentNo, label ?? endpoint, truncatedAddress, keyId]
}

export const toLoggedBuild = ({ amount, approvalId, refusal }: BuildNote): LoggedBuild => ({
  ...(amount !== undefined && { a: String(amount) }),
  ...(approvalId !== undefined && { p: approvalId }),
  ...(refusal && { e: refusal.code }),
  ...(refusal?.message !== undefined && { m: refusal.message }),
  ...(refusal?.broken.length && {
    b: refusal.broken.map(({ rule, limit, actual, clearsAt }) => [rule, limit, actual, clearsAt] as const),
  }),
})

export const toBuildNote = ({ a, p, e, m, b = [] }: LoggedBuild): BuildNote => ({
  amount: a === undefined ? undefined : BigInt(a),
  approvalId: p,
  refusal: e && {
    code: e,
    message: m,
    broken: b.map(([rule, limit, actual, clearsAt]) => ({ rule, limit, actual, clearsAt })),
  },
})

/** A batch of the log was damaged after it was written. */
export class UnreadableBatch extends Error {
  constructor() {
    super('a batch of the audit log cannot be read: run `audit verify`')
  }
}

/** Parses the body of a row. Throws if it is damaged: leaving it out would be a wrong answer. */
export function toBatch(body: string): AuditBatch {
  const batch = readBatch(body)
  if (!batch) throw new UnreadableBatch()
  return batch
}

/** Undefined: the body was damaged after it was written. Only its hash proves that nothing else was changed. */
export function readBatch(body: string): AuditBatch | undefined {
  const batch = parsed(body)
  return isBatch(batch) ? batch : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const isBatch = (value: unknown): value is AuditBatch => {
  const { i, o, r } = Object(value)
  return [i, o, r].every(Array.isArray) && i.every(hasAgentAt(2)) && o.every(hasAgentAt(1))
}

const hasAgentAt = (place: number) => (entry: unknown) =>
  Array.isArray(entry) && Number.isSafeInteger(entry[place])
