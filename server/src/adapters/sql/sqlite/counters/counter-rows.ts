import type { DatabaseSync } from 'node:sqlite'
import type { AgentCounters } from '../../admission/agent-counters.ts'
import { ACTIVITY, ACTIVITY_COLUMNS, LATEST_DAY_COLUMNS } from '../../admission/rows.ts'

/** Counters as their columns have them, from `minute_start` to `built_aware`. */
export type CounterValues = readonly (number | string | null)[]

export const COUNTER_COLUMNS = `${ACTIVITY_COLUMNS}, ${LATEST_DAY_COLUMNS}`

/**
 * The two places of an agent's counters: its row, with the number of the commit that it has them from, and the journal.
 * Everything is written inside the caller's transaction.
 */
export function openCounterRows(database: DatabaseSync) {
  // Replacing does what an upsert of all columns would, without the triggers that refuse edits of others.
  const replace = database.prepare(
    `insert or replace into agent_activity (agent_no, version, ${COUNTER_COLUMNS})
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const append = database.prepare('insert into counter_journal (seq, body) values (?, ?)')
  const drop = database.prepare(
    `delete from counter_journal where seq in
       (select seq from counter_journal where seq between ? and ? order by seq limit ?)`,
  )
  return {
    write(agentNo: number, values: CounterValues, seq: number): void {
      replace.run(agentNo, seq, ...values)
    },
    append(seq: number, changed: ReadonlyMap<number, CounterValues>): void {
      append.run(seq, JSON.stringify(Array.from(changed, ([agentNo, values]) => [agentNo, ...values])))
    },
    /** Drops the oldest commits of a range from the journal, at most `limit`. Returns how many. */
    drop: (from: number, upTo: number, limit: number): number => Number(drop.run(from, upTo, limit).changes),
  }
}

export function toValues({ activity, latest }: AgentCounters): CounterValues {
  const values: (number | string | null)[] = ACTIVITY.map(([, name]) => activity[name])
  if (!latest) return [...values, null, null, null, null]
  const { tools, built, builtAware } = latest.counts
  values.push(latest.day, JSON.stringify(tools), built, builtAware)
  return values
}
