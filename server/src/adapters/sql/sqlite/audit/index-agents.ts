import type { DatabaseSync } from 'node:sqlite'
import { type AuditBatch, agentsIn, toBatch } from '../../audit/batch.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { INDEXED, openAuditMarks } from './marks.ts'

/**
 * Batches indexed at a time: an agent's entry then names several, and neighbouring entries share pages. The commit that
 * indexes them takes longer, with 4,096 agents about 15 ms.
 */
export const BATCHES_PER_ENTRY = 64
const MOST_AT_ONCE = 2 * BATCHES_PER_ENTRY

/**
 * The index of agents, which lags behind the log: an entry per agent and batch would cost more than
 * everything else a request writes. Readers bring it up to date first.
 */
export function openAuditIndex(database: DatabaseSync, seal: AuditSeal) {
  const marks = openAuditMarks(database, seal)
  const newer = database.prepare(
    `select seq, hash from audit_batches where seq > ? order by seq limit ${MOST_AT_ONCE}`,
  )
  const body = database.prepare('select body from audit_batches where seq = ?')
  const enter = database.prepare(
    'insert or replace into agent_batches (agent_no, last_seq, seqs) values (?, ?, ?)',
  )
  /** Agents of batches this process has just written, so that the batches need not be read again. */
  const recent = new Map<number, ReadonlySet<number>>()

  return {
    noteBatch(seq: number, batch: AuditBatch): void {
      recent.set(seq, agentsIn(batch))
    },
    /** After a rollback: the noted batches may not exist. */
    forget: () => recent.clear(),
    /** Indexes the next batches inside the caller's transaction. Returns whether more remain. */
    extend(): boolean {
      const batches = newer.all(marks.read(INDEXED).no)
      const last = batches.at(-1)
      if (!last) return false
      const seqsOf = new Map<number, number[]>()
      for (const row of batches) {
        const seq = Number(row['seq'])
        for (const agentNo of recent.get(seq) ?? agentsIn(toBatch(String(body.get(seq)?.['body'])))) {
          const seqs = seqsOf.get(agentNo)
          if (seqs) seqs.push(seq)
          else seqsOf.set(agentNo, [seq])
        }
      }
      recent.clear()
      // In the order of the table, so that each page is visited once.
      const entries = [...seqsOf].sort(([one], [other]) => one - other)
      for (const [agentNo, seqs] of entries) enter.run(agentNo, seqs.at(-1) ?? 0, JSON.stringify(seqs))
      marks.write(INDEXED, { no: Number(last['seq']), hash: String(last['hash']) })
      return batches.length === MOST_AT_ONCE
    },
  }
}
