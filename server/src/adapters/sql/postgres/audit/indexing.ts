import type { Logger } from '#ports/logger.ts'
import { type AuditBatch, agentsIn } from '../../audit/batch.ts'
import { isLockTimeout } from '../errors.ts'
import { type AuditIndex, GROUP } from './index-agents.ts'

type Needs = {
  readonly index: Pick<AuditIndex, 'extend'>
  readonly instance: string
  readonly logger: Logger
}

/** Indexes the chain of this instance after each group of batches, beside its requests. */
export function openIndexing({ index, instance, logger }: Needs) {
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
      running = index
        .extend({ instance, day })
        .catch((error: unknown) => {
          // The next run, the job or a reader continues.
          if (!isLockTimeout(error)) logger.error('the audit log was not indexed', error)
        })
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
