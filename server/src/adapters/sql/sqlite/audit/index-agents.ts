import type { DatabaseSync } from 'node:sqlite'
import type { AuditBatch } from '../../audit/batch.ts'
import { forgedMark, type Mark } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { addBatch, addBody, type SeqsByAgent } from '../../audit/seqs-by-agent.ts'
import { INDEXED, openAuditMarks } from './marks.ts'

export type GroupSize = { readonly batches: number; readonly agents: number }

/**
 * Batches are indexed in groups: an agent's entry then names several, and neighbouring entries share pages. The commit
 * that indexes a group takes longer, with 4,096 agents about 15 ms.
 */
export const GROUP: GroupSize = { batches: 512, agents: 4_096 }
/** Size of a group while the index lags behind: each group then indexes more batches than it adds. */
const BEHIND: GroupSize = { batches: 64, agents: 4_096 }
/** Batches that are read from the log and indexed in one transaction. */
const READ_AT_ONCE = 128

/**
 * The index of agents, which lags behind the log: an entry per agent and batch would cost more than
 * everything else a request writes. Readers bring it up to date first.
 */
export function openAuditIndex(database: DatabaseSync, seal: AuditSeal, size = GROUP) {
  const marks = openAuditMarks(database, seal)
  const newer = database.prepare(
    `select seq, body, hash from audit_batches where seq > ? order by seq limit ${READ_AT_ONCE}`,
  )
  const enter = database.prepare(
    'insert or replace into agent_batches (agent_no, last_seq, seqs) values (?, ?, ?)',
  )
  /** Batches that this process has written since the last group, so that they need not be read again. */
  let group = openGroup(size)

  function write(seqsByAgent: SeqsByAgent, last: Mark): void {
    // In the order of the table, so that each page is visited once.
    const entries = [...seqsByAgent].sort(([one], [other]) => one - other)
    for (const [agentNo, seqs] of entries) enter.run(agentNo, seqs.at(-1) ?? 0, JSON.stringify(seqs))
    marks.write(INDEXED, last)
  }

  /** Indexes the next batches of the log inside the caller's transaction. Returns whether more remain. */
  function extend(): boolean {
    const indexed = marks.read(INDEXED)
    if (!indexed.isGenuine) throw forgedMark(INDEXED)
    const rows = newer.all(indexed.no)
    const last = rows.at(-1)
    if (!last) return false
    const seqsByAgent: SeqsByAgent = new Map()
    for (const { seq, body } of rows) addBody(seqsByAgent, Number(seq), String(body))
    write(seqsByAgent, { no: Number(last['seq']), hash: String(last['hash']) })
    return rows.length === READ_AT_ONCE
  }

  return {
    extend,
    /** Notes a batch inside the transaction that writes it, which indexes the group once it is full. */
    note(end: Mark, batch: AuditBatch): void {
      group.add(end.no, batch)
      if (!group.isFull()) return
      // A reader may have indexed part of the group, or an earlier process may have left batches unindexed.
      const indexed = marks.read(INDEXED)
      const followsIndex = group.first() === indexed.no + 1
      // A forged mark makes reads fail, but not the requests of a commit.
      if (followsIndex && indexed.isGenuine) write(group.seqsByAgent, end)
      const isBehind = !followsIndex && indexed.isGenuine && extend()
      group = openGroup(isBehind ? BEHIND : size)
    },
    /** After a rollback: the noted batches may not exist. */
    forget(): void {
      group = openGroup(size)
    },
  }
}

function openGroup({ batches, agents }: GroupSize) {
  const seqsByAgent: SeqsByAgent = new Map()
  let first: number | undefined
  let count = 0
  return {
    seqsByAgent,
    first: () => first,
    add(seq: number, batch: AuditBatch): void {
      first ??= seq
      count += 1
      addBatch(seqsByAgent, seq, batch)
    },
    isFull: () => count >= batches || seqsByAgent.size >= agents,
  }
}
