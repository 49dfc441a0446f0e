import type { DatabaseSync } from 'node:sqlite'
import { type AuditBatch, CHAIN_START, chainHash } from './audit-batch.ts'

const DAY_MS = 86_400_000

/** The newest end of the audit log: appends batches inside the caller's transaction. */
export type AuditChain = {
  nextSeq(): number
  /** Returns the new end of the chain, which holds once the transaction is committed. Nothing to say, no row. */
  append(at: number, batch: AuditBatch): string
  committed(end: string): void
}

export function openAuditChain(database: DatabaseSync): AuditChain {
  const newest = database.prepare('select seq, hash from audit_batches order by seq desc limit 1').get()
  let seq = Number(newest?.['seq'] ?? 0)
  let end = String(newest?.['hash'] ?? CHAIN_START)
  const insertBatch = database.prepare('insert into audit_batches (seq, day, body, hash) values (?, ?, ?, ?)')
  const insertAgent = database.prepare('insert into audit_agents (agent_no, seq) values (?, ?)')

  return {
    nextSeq: () => seq + 1,
    append(at, batch) {
      if (batch.i.length + batch.o.length + batch.r.length === 0) return end
      const body = JSON.stringify(batch)
      const hash = chainHash(end, seq + 1, body)
      insertBatch.run(seq + 1, Math.floor(at / DAY_MS), body, hash)
      const agents = new Set(batch.i.map(([, , agentNo]) => agentNo))
      for (const [, agentNo] of batch.o) agents.add(agentNo)
      agents.delete(0)
      for (const agentNo of agents) insertAgent.run(agentNo, seq + 1)
      return hash
    },
    committed(newEnd) {
      if (newEnd === end) return
      end = newEnd
      seq += 1
    },
  }
}
