import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import { dropOldRecords } from '#domain/audit/drop-old-records.ts'
import { prepareAuditDays } from '#domain/audit/prepare-audit-days.ts'
import { signAudit } from '#domain/audit/sign-audit.ts'
import type { Logger } from '#ports/logger.ts'
import type { Admission, Decision } from '#ports/stores/admission.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { type TestClock, testClock } from '../support/test-clock.ts'
import {
  type AdmissionStore,
  AUDIT_SECRET,
  agentCalled,
  openAdmissionStore,
  requestOf,
} from './admission-store.ts'

const NEVER = new AbortController().signal
const LIMITS = { rpm: 1_000, rpd: 1_000 }

/** Batches in an entry of the index. */
export const BATCHES_PER_ENTRY = 64

export type LogOptions = { readonly retentionDays?: number; readonly logger?: Logger }

/** Half an hour after midnight. */
export const logClock = (): TestClock => testClock(Date.UTC(2026, 0, 1, 0, 30))

/** An audit log and the jobs that keep it, on the SQLite store in the folder. */
export async function openSampleLog(folder: string, options: LogOptions = {}) {
  const clock = logClock()
  const store = await openAdmissionStore(folder, clock, {
    indexed: { batches: BATCHES_PER_ENTRY, agents: 4_096 },
  })
  // After the database: a key without one looks like a database that was lost.
  await writeFile(join(folder, AUDIT_KEY_FILE), AUDIT_SECRET)
  const log = await keepSampleLog(store, clock, options)
  return { ...store, ...log, clock, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

/** Writes batches to the log of an open store and runs the jobs that keep it. */
export async function keepSampleLog(
  { upkeep, admission, agents }: Pick<AdmissionStore, 'upkeep' | 'admission' | 'agents'>,
  clock: TestClock,
  { retentionDays = 90, logger = silentLogger }: LogOptions = {},
) {
  const sign = signAudit({ upkeep, clock, logger })
  const drop = dropOldRecords({ upkeep, clock, logger, retentionDays, approvalsKeptDays: 90 })
  for (const id of ['a', 'b']) await agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
  return {
    addBatch: openBatches(admission, clock),
    prepareDays: prepareAuditDays({ upkeep, clock }),
    sign: () => sign(NEVER),
    drop: () => drop(NEVER),
  }
}

/** Adds one batch: requests of both agents, an anonymous caller and a user, and the outcomes of the batch before. */
export function openBatches(admission: Admission, clock: TestClock): () => Promise<void> {
  let open: readonly Decision[] = []
  return async () => {
    const at = clock.now()
    for (const decision of open) if (decision.kind === 'admitted') admission.finish(decision.ticket, 200, 1)
    open = await Promise.all([
      admission.admit(requestOf('a', at)),
      admission.admit(requestOf('b', at, { endpoint: 'positions' })),
      admission.admit(requestOf('', at, { claim: { kind: 'nobody' } })),
      admission.admit(
        requestOf('', at, { claim: { kind: 'user', userId: `user at ${at}`, limits: LIMITS } }),
      ),
    ])
  }
}
