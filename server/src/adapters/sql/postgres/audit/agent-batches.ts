import type { Database } from '../../schema.ts'
import type { AgentBatches } from '../../stores/request-log.ts'

/** Every batch writes its index entries itself, so the index is always up to date. */
export function postgresAgentBatches(db: Database): AgentBatches {
  return {
    async prepare() {},
    read: ({ agentNo, from, direction, limit }) =>
      db
        .selectFrom('audit_agents as a')
        // By day too, so that only the batch's own partition is searched.
        .innerJoin('audit_batches as b', (join) =>
          join.onRef('b.seq', '=', 'a.seq').onRef('b.day', '=', 'a.day'),
        )
        .select(['b.seq', 'b.body'])
        .where('a.agent_no', '=', agentNo)
        .where('a.seq', direction === 'desc' ? '<=' : '>=', from)
        .orderBy('a.seq', direction)
        .limit(limit)
        .execute(),
  }
}
