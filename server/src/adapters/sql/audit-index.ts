import type { DatabaseSync } from 'node:sqlite'
import { agentsIn, toBatch } from './audit-batch.ts'
import { openAuditMarks } from './audit-marks.ts'
import type { AuditSeal } from './audit-seal.ts'

/** So many batches are entered at once: an entry then names several, and neighbouring entries share their pages. */
export const BATCHES_PER_ENTRY = 16
const MOST_AT_ONCE = 4 * BATCHES_PER_ENTRY

/**
 * Follows the log at a distance: an entry for each agent of each batch would cost more than all else that a request
 * writes. Whoever wants to read lets it catch up first.
 */
export function openAuditIndex(database: DatabaseSync, seal: AuditSeal) {
  const marks = openAuditMarks(database, seal)
  const newer = database.prepare(
    `select seq, body, hash from audit_batches where seq > ? order by seq limit ${MOST_AT_ONCE}`,
  )
  const enter = database.prepare(
    'insert or replace into agent_batches (agent_no, last_seq, seqs) values (?, ?, ?)',
  )
  return {
    /** Enters the next batches, inside the caller's transaction. Returns whether there are more. */
    extend(): boolean {
      const batches = newer.all(marks.read('indexed').no)
      const last = batches.at(-1)
      if (!last) return false
      const seqsOf = new Map<number, number[]>()
      for (const { seq, body } of batches) {
        for (const agentNo of agentsIn(toBatch(String(body)))) {
          const seqs = seqsOf.get(agentNo)
          if (seqs) seqs.push(Number(seq))
          else seqsOf.set(agentNo, [Number(seq)])
        }
      }
      for (const [agentNo, seqs] of seqsOf) enter.run(agentNo, seqs.at(-1) ?? 0, JSON.stringify(seqs))
      marks.write('indexed', { no: Number(last['seq']), hash: String(last['hash']) })
      return batches.length === MOST_AT_ONCE
    },
  }
}
