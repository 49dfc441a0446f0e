import { type AuditBatch, agentsIn } from '../../audit/batch.ts'
import { type AuditIndex, GROUP } from './index-agents.ts'

/** Indexes the chain of this instance after each group of batches, beside its requests. */
export function openIndexing(index: Pick<AuditIndex, 'extend'>, instance: string) {
  let batches = 0
  let agents = new Set<number>()
  let running: Promise<unknown> | undefined
  return {
    /** Call it after the commit of a batch. */
    committed(day: number, batch: AuditBatch): void {
      batches += 1
      for (const agentNo of agentsIn(batch)) agents.add(agentNo)
      if (running || (batches < GROUP.batches && agents.size < GROUP.agents)) return
      batches = 0
      agents = new Set()
      // After a failure the next run or reader continues.
      running = index
        .extend({ instance, day })
        .catch(() => undefined)
        .finally(() => {
          running = undefined
        })
    },
    async [Symbol.asyncDispose]() {
      await running
    },
  }
}

export type Indexing = ReturnType<typeof openIndexing>
