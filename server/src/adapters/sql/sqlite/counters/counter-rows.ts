import type { DatabaseSync } from 'node:sqlite'
import type { AgentCounters } from '../../admission/agent-counters.ts'
import { ACTIVITY, ACTIVITY_COLUMNS, LATEST_DAY_COLUMNS } from '../../admission/rows.ts'

export const COUNTER_COLUMNS = `${ACTIVITY_COLUMNS}, ${LATEST_DAY_COLUMNS}`

/** The agents' rows, each with the number of the commit that wrote it. Written inside the caller's transaction. */
export function openCounterRows(database: DatabaseSync) {
  // Has the effect of an upsert of all columns, but does not fire the triggers that refuse edits by other programs.
  const replace = database.prepare(
    `insert or replace into agent_activity (agent_no, version, ${COUNTER_COLUMNS})
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    write(agentNo: number, counters: AgentCounters, seq: number): void {
      replace.run(agentNo, seq, ...toValues(counters))
    },
  }
}

/** The values of the columns, from `minute_start` to `built_aware`. */
export function toValues({ activity, latest }: AgentCounters): readonly (number | string | null)[] {
  const values: (number | string | null)[] = ACTIVITY.map(([, name]) => activity[name])
  if (!latest) return [...values, null, null, null, null]
  const { tools, built, builtAware } = latest.counts
  values.push(latest.day, JSON.stringify(tools), built, builtAware)
  return values
}

/** The same columns as JSON for the journal, after the agent's number. Serialised once for each agent of a commit. */
export function toEntry(agentNo: number, { activity, latest }: AgentCounters): readonly unknown[] {
  const entry: unknown[] = [agentNo]
  for (const [, name] of ACTIVITY) entry.push(activity[name])
  const { tools = null, built = null, builtAware = null } = latest?.counts ?? {}
  entry.push(latest?.day ?? null, tools, built, builtAware)
  return entry
}
