import type { RawBuilder } from 'kysely'
import type { Database } from '../schema.ts'
import type { AgentBatches } from '../stores/request-log.ts'

export type FoundBatch = { readonly seq: number; readonly body: string }

type Select = (agentNo: number, from: number, limit: number) => RawBuilder<FoundBatch>

/** The queries of an engine on its index of agents. */
type Queries = {
  /** From `from` on, ascending. */
  readonly selectFrom: Select
  /** From `from` back, descending. */
  readonly selectBackFrom: Select
  readonly selectUnreadable: RawBuilder<{ readonly seq: number }>
}

/** Reads an agent's batches by the index. */
export const readAgentBatches = (
  db: Database,
  { selectFrom, selectBackFrom, selectUnreadable }: Queries,
): Pick<AgentBatches, 'read' | 'unreadable'> => ({
  async unreadable() {
    const { rows } = await selectUnreadable.execute(db)
    return rows.map(({ seq }) => seq)
  },
  async read({ agentNo, from, direction, limit }) {
    const select = direction === 'desc' ? selectBackFrom : selectFrom
    return (await select(agentNo, from, limit).execute(db)).rows
  },
})
