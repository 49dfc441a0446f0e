import type { Activity, DayCounts } from '#ports/stores/admission.ts'

/** Counters in the row of an agent. */
export type AgentCounters = {
  readonly activity: Activity
  /** The latest day on which it made requests; undefined: none. */
  readonly latest: CountedDay | undefined
}

export type CountedDay = { readonly day: number; readonly counts: DayCounts }

/** A day that is over for an agent: its counts are added to `agent_days`. */
export type PastDay = CountedDay & { readonly agentNo: number }

/**
 * The counts of this day in the agent's row. If the day was the latest one before, `agent_days` has further counts of
 * it; readers add up both.
 */
export const countsOf = (counters: AgentCounters | undefined, day: number): DayCounts | undefined =>
  counters?.latest?.day === day ? counters.latest.counts : undefined

/** The counts to move from the agent's row to `agent_days`, if it is charged on another day than theirs. */
export const dayLeft = (counters: AgentCounters | undefined, day: number): CountedDay | undefined =>
  counters?.latest?.day === day ? undefined : counters?.latest
