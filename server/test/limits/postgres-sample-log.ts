import { randomUUID } from 'node:crypto'
import { TIERS } from '@stakewright/contract/limits'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { openPostgresAdmission } from '#adapters/sql/postgres/admission.ts'
import { postgresAgentBatches } from '#adapters/sql/postgres/audit/agent-batches.ts'
import { postgresAuditUpkeep } from '#adapters/sql/postgres/audit/upkeep.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { sqlRequestLog } from '#adapters/sql/stores/request-log.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import { openTestPostgres } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { AUDIT_SECRET } from './admission-store.ts'
import { keepSampleLog, type LogOptions, logClock, openBatches } from './sample-log.ts'

const rules = admissionRules({ tiers: TIERS })
const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })

/** An audit log and the jobs that keep it, on its own Postgres store. Two instances write it. */
export async function openPostgresSampleLog(options: LogOptions = {}) {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openTestPostgres())
  const clock = logClock()
  const seal = auditSeal(AUDIT_SECRET)
  const needs = { store, rules, secrets, seal, clock, logger: silentLogger }
  const [admission, other] = [
    opened.use(await openPostgresAdmission({ ...needs, instance: randomUUID() })),
    opened.use(await openPostgresAdmission({ ...needs, instance: randomUUID() })),
  ]
  const upkeep = postgresAuditUpkeep({ store, seal, secrets })
  const agents = sqlAgents({ db: store.db, secrets })
  const requestLog = sqlRequestLog(store.db, postgresAgentBatches(store.db, seal))
  const log = await keepSampleLog({ upkeep, admission, agents }, clock, options)
  const resources = opened.move()
  return {
    ...log,
    upkeep,
    store,
    seal,
    clock,
    agents,
    admissions: [admission, other],
    /** Starts and stops a third instance. */
    restart: async () =>
      (await openPostgresAdmission({ ...needs, instance: randomUUID() }))[Symbol.asyncDispose](),
    requestLog,
    /** As an owner does, which brings the index of agents up to date. */
    readRequests: () => requestLog.requestsOf('a', { after: undefined, limit: 1_000 }),
    /** `addBatch` of the other instance. */
    addElsewhere: openBatches(other, clock),
    verify: () => verifyPostgresAudit(store.url, seal),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
