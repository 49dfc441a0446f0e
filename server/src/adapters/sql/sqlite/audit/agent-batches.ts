import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import { type FoundBatch, readAgentBatches } from '../../audit/read-agent-batches.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { UNREADABLE } from '../../audit/seqs-by-agent.ts'
import type { AgentBatches } from '../../stores/request-log.ts'
import type { SqliteStore } from '../open.ts'
import { openAuditIndex } from './index-agents.ts'

/** Reads an agent's batches by the index; `prepare` brings the index up to date first. */
export async function sqliteAgentBatches(store: SqliteStore, seal: AuditSeal): Promise<AgentBatches> {
  const index = await store.exclusive((database) => openAuditIndex(database, seal))
  // Whatever a power cut takes from the index is indexed again.
  const catchUp = () =>
    store.exclusive((database) => {
      database.exec('begin immediate')
      const isBehind = index.extend()
      database.exec('commit')
      return isBehind
    }, 'light')

  return {
    async prepare() {
      while (await catchUp()) await nextTurnOfEventLoop()
    },
    ...readAgentBatches(store.db, { selectFrom, selectBackFrom, selectUnreadable }),
  }
}

const selectUnreadable = sql<{ readonly seq: number }>`
  select s.value as seq from agent_batches a, json_each(a.seqs) s where a.agent_no = ${sql.lit(UNREADABLE)}`

const selectFrom = (agentNo: number, from: number, limit: number) => sql<FoundBatch>`
  select b.seq, b.body from agent_batches a, json_each(a.seqs) s join audit_batches b on b.seq = s.value
  where a.agent_no = ${agentNo} and a.last_seq >= ${from} and s.value >= ${from}
  order by a.last_seq, s.value limit ${limit}`

/** Includes the index entry that contains `from`, whose `last_seq` may be after it. */
const selectBackFrom = (agentNo: number, from: number, limit: number) => sql<FoundBatch>`
  select b.seq, b.body from agent_batches a, json_each(a.seqs) s join audit_batches b on b.seq = s.value
  where a.agent_no = ${agentNo} and s.value <= ${from} and a.last_seq <= coalesce(
    (select min(last_seq) from agent_batches where agent_no = ${agentNo} and last_seq >= ${from}), ${from})
  order by a.last_seq desc, s.value desc limit ${limit}`
