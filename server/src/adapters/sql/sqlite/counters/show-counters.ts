import type { DatabaseSync } from 'node:sqlite'
import type { AgentCounters } from '../../admission/agent-counters.ts'
import { COUNTER_COLUMNS, toValues } from './counter-rows.ts'

/**
 * Creates a temporary view `agent_counters` on this connection. It reads counters that are not yet in the rows from
 * memory, instead of unpacking the journal. It hides the view of the same name in the database, which has the same
 * content.
 */
export function showCounters(
  database: DatabaseSync,
  newest: (agentNo: number) => AgentCounters | undefined,
): void {
  database.function('unfolded', (agentNo, place) => {
    const counters = newest(Number(agentNo))
    return (counters && toValues(counters)[Number(place)]) ?? null
  })
  const columns = COUNTER_COLUMNS.split(', ').map(
    (column, place) => `coalesce(unfolded(agent_no, ${place}), ${column}) as ${column}`,
  )
  database.exec(
    `create temp view agent_counters as select agent_no, ${columns.join(', ')} from main.agent_activity`,
  )
}
