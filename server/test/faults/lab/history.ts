/** What clients did and were told, in the order of their answers. Times are of one monotonic clock. */

/** `cut`: the connection ended without an answer. */
export type Status = number | 'cut'

type Timed = { readonly startedAt: number; readonly endedAt: number; readonly status: Status }

export type Call = Timed & {
  readonly kind: 'call'
  readonly agent: string
  readonly key: string
  /** The end of the minute it was counted in, as the answer says. */
  readonly window: string | undefined
}
/** `key` is the new one, if the answer came. */
export type Registration = Timed & { readonly kind: 'register'; readonly agent: string; readonly key: string }
export type Rotation = Timed & {
  readonly kind: 'rotate'
  readonly agent: string
  readonly oldKey: string
  readonly key: string | undefined
}
export type Revocation = Timed & { readonly kind: 'revoke'; readonly agent: string; readonly oldKey: string }

export type Event = Call | Registration | Rotation | Revocation

/** Whether nobody knows if it was done. */
export const isUnsure = (status: Status): boolean => status === 'cut' || status === 503 || status === 504

/** What the store holds in the end. */
export type FinalState = {
  /** Requests in the audit log, by agent. */
  readonly logged: ReadonlyMap<string, number>
  readonly agents: ReadonlySet<string>
  readonly isLogIntact: boolean
  /** What a request with each key is answered when all is well again. */
  readonly keys: ReadonlyMap<string, Status>
}
