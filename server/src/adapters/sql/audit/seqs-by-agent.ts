import { type AuditBatch, agentsIn, readBatch } from './batch.ts'

/** The numbers of the batches that name an agent, for each agent, in their order: what an index of agents is made of. */
export type SeqsByAgent = Map<number, number[]>

/** The number under which the index has unreadable batches, whose agents are unknown. No agent has this number. */
export const UNREADABLE = 0

const OF_UNREADABLE: ReadonlySet<number> = new Set([UNREADABLE])

/** The numbers under which the index has a batch. */
export function indexedAgents(body: string): ReadonlySet<number> {
  const batch = readBatch(body)
  return batch ? agentsIn(batch) : OF_UNREADABLE
}

export const addBatch = (seqsByAgent: SeqsByAgent, seq: number, batch: AuditBatch): void =>
  addSeq(seqsByAgent, seq, agentsIn(batch))

/** Adds a batch by its stored body. */
export const addBody = (seqsByAgent: SeqsByAgent, seq: number, body: string): void =>
  addSeq(seqsByAgent, seq, indexedAgents(body))

function addSeq(seqsByAgent: SeqsByAgent, seq: number, agents: ReadonlySet<number>): void {
  for (const agentNo of agents) {
    const seqs = seqsByAgent.get(agentNo)
    if (seqs) seqs.push(seq)
    else seqsByAgent.set(agentNo, [seq])
  }
}
