import type { Kysely } from 'kysely'
import type { AuditSeal } from '#adapters/sql/audit/seal.ts'
import type { AuditVerdict } from '#adapters/sql/audit/verify/verdict.ts'
import type { Schema } from '#adapters/sql/schema.ts'
import type { RequestLog } from '#ports/stores/request-log.ts'
import type { LogOptions } from '../../../limits/sample-log.ts'
import type { TestClock } from '../../../support/test-clock.ts'

/** An audit log that one instance writes, with the jobs that keep it. */
export type KeptLog = AsyncDisposable & {
  readonly store: { readonly db: Kysely<Schema> }
  readonly clock: TestClock
  readonly seal: AuditSeal
  readonly requestLog: RequestLog
  addBatch(): Promise<void>
  sign(): Promise<void>
  drop(): Promise<void>
  verify(): Promise<AuditVerdict>
}

export type KeptLogs = {
  readonly open: (options?: LogOptions) => Promise<KeptLog>
  /** Entries of the index of agents for the last 90 of 120 batches, three a day, each with two agents. */
  readonly entriesKept: number
}

export const count = async (
  { store }: KeptLog,
  table: 'audit_batches' | 'agent_batches' | 'agent_days' | 'user_activity',
) => (await store.db.selectFrom(table).selectAll().execute()).length
