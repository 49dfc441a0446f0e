import type { DatabaseSync } from 'node:sqlite'
import type { AgentCounters } from '../../admission/agent-counters.ts'
import { ACTIVITY, ACTIVITY_COLUMNS, LATEST_DAY_COLUMNS } from '../../admission/rows.ts'

/** Counters as their columns have them, from `minute_start` to `built_aware`. */
export type CounterValues = readonly (number | string | null)[]

export const COUNTER_COLUMNS = `${ACTIVITY_COLUMNS}, ${LATEST_DAY_COLUMNS}`

/** The agents' rows, each with the number of the commit that it is from. Written inside the caller's transaction. */
export function openCounterRows(database: DatabaseSync) {
  // Replacing does what an upsert of all columns would, without the triggers that refuse edits of others.
  const replace = database.prepare(
    `insert or replace into agent_activity (agent_no, version, ${COUNTER_COLUMNS})
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    write(agentNo: number, values: CounterValues, seq: number): void {
      replace.run(agentNo, seq, ...values)
    },
  }
}

export function toValues({ activity, latest }: AgentCounters): CounterValues {
  const values: (number | string | null)[] = ACTIVITY.map(([, name]) => activity[name])
  if (!latest) return [...values, null, null, null, null]
  const { tools, built, builtAware } = latest.counts
  values.push(latest.day, JSON.stringify(tools), built, builtAware)
  return values
}
