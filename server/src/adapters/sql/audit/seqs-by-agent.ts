import { type AuditBatch, agentsIn } from './batch.ts'

/** The numbers of the batches that name an agent, for each agent, in their order: what an index of agents is made of. */
export type SeqsByAgent = Map<number, number[]>

export function addBatch(seqsByAgent: SeqsByAgent, seq: number, batch: AuditBatch): void {
  for (const agentNo of agentsIn(batch)) {
    const seqs = seqsByAgent.get(agentNo)
    if (seqs) seqs.push(seq)
    else seqsByAgent.set(agentNo, [seq])
  }
}
