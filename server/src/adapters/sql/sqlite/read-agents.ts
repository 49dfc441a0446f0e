import type { DatabaseSync } from 'node:sqlite'
import { AGENT, COUNTERS } from '../admission/agent-columns.ts'
import type { AgentByKeyRow, CountersRow } from '../admission/rows.ts'

/** The rows of a key's agent. Its counters are undefined if it was not used yet. */
type AgentRows = { readonly agent: AgentByKeyRow; readonly counters: CountersRow | undefined }

type ReadAgents = (digests: readonly string[]) => ReadonlyMap<string, AgentRows>

/**
 * Reads the agents of many keys with one statement: a third of the cost of three statements per agent. Rows come as
 * arrays, because the objects that node:sqlite makes are slow to make and slow to read.
 */
export function openReadAgents(database: DatabaseSync): ReadAgents {
  // A cross join keeps the order of the tables: each is searched by its key, once per digest.
  const select = database.prepare(
    `select ${AGENT.select}, ${COUNTERS.select}
     from json_each(?) wanted
     cross join agent_keys k on k.digest = wanted.value
     cross join agents a on a.no = k.agent_no
     left join agent_activity v on v.agent_no = a.no`,
  )
  select.setReturnArrays(true)
  return (digests) => {
    const found = new Map<string, AgentRows>()
    if (digests.length === 0) return found
    for (const values of toArrays(select.all(JSON.stringify(digests)))) {
      const agent = AGENT.read(values, 0)
      if (agent) found.set(agent.digest, { agent, counters: COUNTERS.read(values, AGENT.width) })
    }
    return found
  }
}

/** Guaranteed by `setReturnArrays`. */
const toArrays = (rows: unknown): readonly (readonly unknown[])[] => rows as readonly (readonly unknown[])[]
