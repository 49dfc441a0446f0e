import type { Activity, BuildNote, DayCounts } from './admission.ts'

/** One admitted request of an agent in the audit log. */
export type LoggedRequest = {
  /** Sequence number in the order of admission. */
  readonly ticket: number
  readonly at: number
  /** The endpoint's name in the contract, or the label of another transport, such as `mcp:allocate`. */
  readonly endpoint: string
  /** Undefined: the process ended before it answered. */
  readonly status: number | undefined
  readonly latencyMicros: number | undefined
  readonly truncatedAddress: string
  /** The named key that it was made with; undefined: the primary key. */
  readonly keyId: string | undefined
  /** Undefined: it is no build, or was logged by an earlier version. */
  readonly build: BuildNote | undefined
}

/** An agent's counters. */
export type AgentUse = {
  readonly activity: Activity | undefined
  /** Daily counts by UTC day since 1970. */
  readonly days: ReadonlyMap<number, DayCounts>
}

/** Requests and counts of agents, from the log. */
export type RequestLog = {
  /** Newest first. `next` is the `after` of the next page; undefined: there is none. */
  requestsOf(
    agentId: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<{ readonly requests: readonly LoggedRequest[]; readonly next: string | undefined }>
  /** Daily counts from `fromDay` on; days are whole UTC days since 1970. */
  daysOf(agentId: string, fromDay: number): Promise<readonly DayCounts[]>
  /** Daily counts and quota counters of many agents; agents without any request are left out. */
  usesOf(agentIds: readonly string[], fromDay: number): Promise<ReadonlyMap<string, AgentUse>>
}
