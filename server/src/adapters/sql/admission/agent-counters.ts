import type { Activity, DayCounts } from '#ports/stores/admission.ts'

/** Counters of an agent, as one row has them. */
export type AgentCounters = {
  readonly activity: Activity
  /** The latest day on which it made requests; undefined: none. */
  readonly latest: CountedDay | undefined
}

export type CountedDay = { readonly day: number; readonly counts: DayCounts }

/** A day that is over for an agent: its counts are added to `agent_days`. */
export type PastDay = CountedDay & { readonly agentNo: number }

/**
 * The counts of the day, as far as the agent's row has them: those of an earlier part are in `agent_days`, and the
 * parts are added up when they are read.
 */
export const countsOf = (counters: AgentCounters | undefined, day: number): DayCounts | undefined =>
  counters?.latest?.day === day ? counters.latest.counts : undefined

/** The day that leaves the agent's row when it is charged on another day. */
export const dayLeft = (counters: AgentCounters | undefined, day: number): CountedDay | undefined =>
  counters?.latest?.day === day ? undefined : counters?.latest
