import type { Activity, DayCounts } from './admission.ts'

/** One admitted request of an agent, as the audit log has it. */
export type LoggedRequest = {
  /** Numbers requests in the order of their admission. */
  readonly ticket: number
  readonly at: number
  /** The endpoint's name in the contract, or the label of another transport, such as `mcp:allocate`. */
  readonly endpoint: string
  /** Undefined: the process ended before the answer. */
  readonly status: number | undefined
  readonly latencyMicros: number | undefined
  readonly truncatedAddress: string
}

/** What an agent has used. */
export type AgentUse = {
  readonly activity: Activity | undefined
  /** Counts of days since 1970. */
  readonly days: ReadonlyMap<number, DayCounts>
}

/** What was logged about agents. */
export type RequestLog = {
  /** Newest first. */
  requestsOf(
    agentId: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<{ readonly requests: readonly LoggedRequest[]; readonly next: string | undefined }>
  /** Daily counts from `fromDay` on; days are whole UTC days since 1970. */
  daysOf(agentId: string, fromDay: number): Promise<readonly DayCounts[]>
  /** The same for many agents at once, with what counts against their limits; those never used are left out. */
  usesOf(agentIds: readonly string[], fromDay: number): Promise<ReadonlyMap<string, AgentUse>>
}
