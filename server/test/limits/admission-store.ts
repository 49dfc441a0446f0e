import { TIERS } from '@stakewright/contract/limits'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { type AdmissionSizes, openSqliteAdmission } from '#adapters/sql/sqlite/admission.ts'
import { sqliteAgentBatches } from '#adapters/sql/sqlite/audit/agent-batches.ts'
import { openSqliteAuditUpkeep } from '#adapters/sql/sqlite/audit/upkeep.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { sqlAgentKeys } from '#adapters/sql/stores/keys/named-keys.ts'
import { sqlRequestLog } from '#adapters/sql/stores/request-log.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import type { Clock } from '#ports/clock.ts'
import type { AdmissionRequest } from '#ports/stores/admission.ts'
import type { NewAgent } from '#ports/stores/agents.ts'
import { silentLogger } from '../support/silent-logger.ts'

/** Has the minimum length of a secret, so that it is also a valid content of the key file. */
export const AUDIT_SECRET = 'the audit secret of these tests, which is long'

/** Admission and its audit log on the SQLite store in the folder, with the rules of a real service. */
export async function openAdmissionStore(folder: string, clock: Clock, chosen: Partial<AdmissionSizes> = {}) {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openSqlite(folder, { synchronous: 'normal' }))
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
  const seal = auditSeal(AUDIT_SECRET)
  const rules = admissionRules({ tiers: TIERS })
  const sizes = { cached: 1_000, ...chosen }
  let checkedSeals = 0
  const counting: typeof secrets = {
    ...secrets,
    digest(...input) {
      checkedSeals += 1
      return secrets.digest(...input)
    },
  }
  const admission = opened.use(
    await openSqliteAdmission({ store, rules, secrets: counting, seal, clock, logger: silentLogger, sizes }),
  )
  const resources = opened.move()
  return {
    store,
    seal,
    admission,
    /** Grows with each agent that admission reads: one that is cached is not read. */
    checkedSeals: () => checkedSeals,
    agents: sqlAgents({ db: store.db, secrets }),
    agentKeys: sqlAgentKeys({ db: store.db, secrets }),
    requestLog: sqlRequestLog(store.db, await sqliteAgentBatches(store, seal)),
    upkeep: await openSqliteAuditUpkeep({ store, seal, secrets }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export type AdmissionStore = Awaited<ReturnType<typeof openAdmissionStore>>

/** An active agent whose key has the digest `key of <id>`. */
export const agentCalled = (id: string, change: Partial<NewAgent> = {}): NewAgent => ({
  id,
  owner: 'a@example.com',
  name: id,
  type: 'bot',
  walletAddress: undefined,
  identityTier: 'user_linked',
  tier: 'free',
  storedStatus: 'active',
  customLimits: undefined,
  createdAt: 0,
  verifyBy: undefined,
  verifiedAt: 0,
  key: { digest: `key of ${id}`, prefix: id },
  ...change,
})

export const requestOf = (
  id: string,
  at: number,
  change: Partial<AdmissionRequest> = {},
): AdmissionRequest => ({
  claim: { kind: 'agent-key', digest: () => `key of ${id}` },
  endpoint: 'metadata',
  at,
  truncatedAddress: '192.0.2.0',
  ...change,
})
