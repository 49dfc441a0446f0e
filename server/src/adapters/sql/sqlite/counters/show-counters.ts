import type { DatabaseSync } from 'node:sqlite'
import { COUNTER_COLUMNS, type CounterValues } from './counter-rows.ts'

/**
 * On this connection `agent_counters` reads what the rows do not have yet from memory, instead of unpacking the journal.
 * It hides the view of the same name in the database, which shows the same.
 */
export function showCounters(
  database: DatabaseSync,
  newest: (agentNo: number) => CounterValues | undefined,
): void {
  database.function('unfolded', (agentNo, place) => newest(Number(agentNo))?.[Number(place)] ?? null)
  const columns = COUNTER_COLUMNS.split(', ').map(
    (column, place) => `coalesce(unfolded(agent_no, ${place}), ${column}) as ${column}`,
  )
  database.exec(
    `create temp view agent_counters as select agent_no, ${columns.join(', ')} from main.agent_activity`,
  )
}
