import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit-seal.ts'
import { dropOldRecords } from '#domain/audit/drop-old-records.ts'
import { signAudit } from '#domain/audit/sign-audit.ts'
import type { Decision } from '#ports/admission.ts'
import type { Logger } from '#ports/logger.ts'
import { silentLogger } from '../silent-logger.ts'
import { type TestClock, testClock } from '../test-clock.ts'
import {
  type AdmissionStore,
  AUDIT_SECRET,
  agentCalled,
  openAdmissionStore,
  requestOf,
} from './admission-store.ts'

const NEVER = new AbortController().signal

/** A log that grows by the hour, with the jobs that keep it. */
export async function openSampleLog(
  folder: string,
  options: { retentionDays?: number; logger?: Logger } = {},
) {
  await writeFile(join(folder, AUDIT_KEY_FILE), AUDIT_SECRET)
  const clock: TestClock = testClock(Date.UTC(2026, 0, 1, 0, 30))
  const store: AdmissionStore = await openAdmissionStore(folder, clock)
  const { upkeep, admission, agents } = store
  const { retentionDays = 90, logger = silentLogger } = options
  const sign = signAudit({ upkeep, clock, logger })
  const drop = dropOldRecords({ upkeep, clock, retentionDays })
  const limits = { rpm: 1_000, rpd: 1_000 }
  for (const id of ['a', 'b']) await agents.register(agentCalled(id, { customLimits: limits }), undefined)

  let open: readonly Decision[] = []
  /** One batch: requests of both agents, of nobody and of a user, and the outcomes of the batch before. */
  async function addBatch(): Promise<void> {
    const at = clock.now()
    for (const decision of open) if (decision.kind === 'admitted') admission.finish(decision.ticket, 200, 1)
    open = await Promise.all([
      admission.admit(requestOf('a', at)),
      admission.admit(requestOf('b', at, { endpoint: 'positions' })),
      admission.admit(requestOf('', at, { claim: { kind: 'nobody' } })),
      admission.admit(requestOf('', at, { claim: { kind: 'user', userId: `user at ${at}`, limits } })),
    ])
  }

  return {
    ...store,
    clock,
    addBatch,
    sign: () => sign(NEVER),
    drop: () => drop(NEVER),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
