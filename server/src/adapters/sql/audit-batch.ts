import { hash } from 'node:crypto'
import type { AdmissionRequest, Refusal, Ticket } from '#ports/admission.ts'

/**
 * The audit log is a chain of batches, one per commit. A batch is one row, because a row and an index entry per
 * request would cost several times what the request itself does; it is read by unpacking.
 */
export type AuditBatch = {
  /** Requests that were admitted: ticket, time, agent number (0: none), endpoint, truncated address. */
  readonly i: readonly Intent[]
  /** How admitted requests ended: ticket, agent number (0: none), status, microseconds. */
  readonly o: readonly Outcome[]
  /** Requests that were turned away: second, endpoint, status, truncated address, how many. */
  readonly r: readonly WeightedRefusal[]
}

export type Intent = readonly [ticket: number, at: number, agentNo: number, endpoint: string, address: string]
export type Outcome = readonly [ticket: number, agentNo: number, status: number, micros: number]
export type WeightedRefusal = readonly [
  second: number,
  endpoint: string,
  status: number,
  address: string,
  weight: number,
]

/** A ticket names its batch and its place there, so that numbering needs no counter of its own. */
const PLACES = 16_384
export const MAX_BATCH = PLACES
export const ticketNumber = (seq: number, place: number): number => seq * PLACES + place
export const batchOfTicket = (ticket: number): number => Math.floor(ticket / PLACES)

export const CHAIN_START = '0'.repeat(64)

/** Every batch seals all before it: one that is changed, dropped, swapped or added breaks the chain from there on. */
export const chainHash = (previous: string, seq: number, body: string): string =>
  hash('sha256', `${previous}\n${seq}\n${body}`, 'hex')

export function toIntent(ticket: Ticket, request: AdmissionRequest): Intent {
  return [ticket.number, request.at, ticket.agentNo ?? 0, request.endpoint, request.truncatedAddress]
}

/** Refusals of one second that look alike become one entry with a weight, so that a flood cannot fill the disk. */
export function gatherRefusals() {
  const weights = new Map<string, WeightedRefusal>()
  const add = (second: number, endpoint: string, status: number, address: string, weight: number) => {
    const key = `${second} ${endpoint} ${status} ${address}`
    weights.set(key, [second, endpoint, status, address, weight + (weights.get(key)?.[4] ?? 0)])
  }
  return {
    add({ at, endpoint, status, truncatedAddress }: Refusal): void {
      add(Math.floor(at / 1000), endpoint, status, truncatedAddress, 1)
    },
    take(): readonly WeightedRefusal[] {
      const taken = [...weights.values()]
      weights.clear()
      return taken
    },
    /** What could not be written after all. */
    giveBack(taken: readonly WeightedRefusal[]): void {
      for (const refusal of taken) add(...refusal)
    },
  }
}

/** The body of a row that `AuditBatch` was written to; its hash has vouched for it. */
export function toBatch(body: string): AuditBatch {
  return JSON.parse(body) as AuditBatch
}
