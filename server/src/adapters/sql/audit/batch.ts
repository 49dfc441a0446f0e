import { hash } from 'node:crypto'
import type { AdmissionRequest, Ticket } from '#ports/stores/admission.ts'

/**
 * The audit log is a chain of batches, one per commit. A batch is one row of JSON, because a row and an index
 * entry per request would cost several times as much as the request itself.
 */
export type AuditBatch = {
  /** Admitted requests: ticket, time, agent number (0: none), endpoint, truncated address, id of a named key. */
  readonly i: readonly AdmittedRequest[]
  /** Outcomes of admitted requests: ticket, agent number (0: none), status, microseconds. */
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
export type Outcome = readonly [ticket: number, agentNo: number, status: number, micros: number]
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

/** Each hash covers all batches before: one that is changed, dropped, swapped or added breaks the chain. */
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

/** Parses the body of a row; its hash proves that an `AuditBatch` was written. */
export function toBatch(body: string): AuditBatch {
  return JSON.parse(body) as AuditBatch
}
