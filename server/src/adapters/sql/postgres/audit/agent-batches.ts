import { type Kysely, sql } from 'kysely'
import { type FoundBatch, readAgentBatches } from '../../audit/read-agent-batches.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { UNREADABLE } from '../../audit/seqs-by-agent.ts'
import type { Schema } from '../../schema.ts'
import type { AgentBatches } from '../../stores/request-log.ts'
import { openAuditIndex, WINDOW, windowStart } from './index-agents.ts'

/** Reads an agent's batches by the index; `prepare` brings the index up to date first. */
export function postgresAgentBatches(db: Kysely<Schema>, seal: AuditSeal): AgentBatches {
  const index = openAuditIndex(db, seal)
  return {
    prepare: index.catchUpForReaders,
    ...readAgentBatches(db, { selectFrom, selectBackFrom, selectUnreadable }),
  }
}

const selectUnreadable = sql<{ readonly seq: number }>`
  select s.value::bigint as seq from agent_batches a cross join lateral json_array_elements_text(a.seqs::json) s
  where a.agent_no = ${sql.lit(UNREADABLE)}`

/**
 * Each entry names at least one batch, so reading as many entries as batches are wanted is enough. It then reads on
 * to the end of the last entry's window, because a later entry may begin before this one ends. The join includes the
 * day, so that only the partition of a batch is searched.
 */
const selectFrom = (agentNo: number, from: number, limit: number) => sql<FoundBatch>`
  select b.seq, b.body from (
    select s.value::bigint as seq, a.day
    from agent_batches a cross join lateral json_array_elements_text(a.seqs::json) s
    where a.agent_no = ${agentNo} and a.last_seq >= ${from} and s.value::bigint >= ${from}
      and a.last_seq < coalesce((
        select (last_seq / ${sql.lit(WINDOW)} + 1) * ${sql.lit(WINDOW)} from agent_batches
        where agent_no = ${agentNo} and last_seq >= ${from} order by last_seq limit 1 offset ${limit - 1}
      ), ${NO_LIMIT})
    order by 1 limit ${limit}
  ) found join audit_batches b on b.seq = found.seq and b.day = found.day
  order by b.seq`

/** Entries in the window of `from` may end after it; from earlier windows enough entries are read. */
const selectBackFrom = (agentNo: number, from: number, limit: number) => sql<FoundBatch>`
  select b.seq, b.body from (
    select s.value::bigint as seq, a.day
    from agent_batches a cross join lateral json_array_elements_text(a.seqs::json) s
    where a.agent_no = ${agentNo} and a.last_seq < ${windowStart(from) + WINDOW} and s.value::bigint <= ${from}
      and a.last_seq >= coalesce((
        select last_seq from agent_batches
        where agent_no = ${agentNo} and last_seq < ${windowStart(from)}
        order by last_seq desc limit 1 offset ${limit - 1}
      ), 0)
    order by 1 desc limit ${limit}
  ) found join audit_batches b on b.seq = found.seq and b.day = found.day
  order by b.seq desc`

const NO_LIMIT = sql.lit(Number.MAX_SAFE_INTEGER)
