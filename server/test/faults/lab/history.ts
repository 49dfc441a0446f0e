/** The clients' requests and answers, in the order of the answers. Times are from one monotonic clock. */

/** `cut`: no answer came. */
export type Status = number | 'cut'

type Timed = { readonly startedAt: number; readonly endedAt: number; readonly status: Status }

export type Call = Timed & {
  readonly kind: 'call'
  /** The instance that was called. */
  readonly url: string
  readonly agent: string
  readonly key: string
  /** End of the minute in which the call was counted, from the answer. */
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

/** Whether the request may or may not have been done. */
export const isUnsure = (status: Status): boolean => status === 'cut' || status === 503 || status === 504

/** State of the store after the run. */
export type FinalState = {
  /** Requests in the audit log, by agent. */
  readonly logged: ReadonlyMap<string, number>
  readonly agents: ReadonlySet<string>
  readonly isLogIntact: boolean
  /** Status of a request with each key, after all faults are repaired. */
  readonly keys: ReadonlyMap<string, Status>
}
