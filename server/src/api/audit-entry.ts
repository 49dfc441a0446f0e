import type { Admission, Ticket } from '#ports/admission.ts'
import { truncateAddress } from './client-address.ts'

/**
 * What the audit log is to be told of a request once it is over. Data and not a function on purpose: a function of its
 * own for each request, hung on something that outlives it, is kept until the next full garbage collection, together
 * with all it can see.
 */
export type Trail = {
  readonly at: number
  /** Without one it was turned away. */
  ticket: Ticket | undefined
  /** The store still decides whether to let it in. */
  isOpen: boolean
  ended: { readonly status: number; readonly latencyMs: number } | undefined
}

export const newTrail = (at: number): Trail => ({ at, ticket: undefined, isOpen: false, ended: undefined })

/** Notes a request, unless it still runs or the store still decides: whoever comes last calls it again. */
export type NoteTrail = (trail: Trail, route: string, client: string) => void

/**
 * Every request is noted once, as admitted or as refused. A client may leave while the store still decides; how it
 * ended is then held until it is known what it has to be noted as.
 */
export function noteTrails({ admission }: { readonly admission: Admission }): NoteTrail {
  return ({ at, ticket, isOpen, ended }, route, client) => {
    if (ended === undefined || isOpen) return
    const { status, latencyMs } = ended
    if (ticket !== undefined) admission.finish(ticket, status, latencyMs * 1000)
    else admission.noteRefusal({ endpoint: route, status, at, truncatedAddress: truncateAddress(client) })
  }
}
