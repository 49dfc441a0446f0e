import { LIMITS, TIERS } from '@stakewright/contract'
import { anchorOfCheckpoint } from '#adapters/sql/audit/anchor-of-checkpoint.ts'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import type { AuditVerdict } from '#adapters/sql/audit/verify/verdict.ts'
import { readAuditKey } from '#adapters/sql/sqlite/audit/verify.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import type { CurrentAgent } from '#domain/agents/current-agent.ts'
import { revokeAgent } from '#domain/agents/keys/revoke-agent.ts'
import { listAgents } from '#domain/agents/list-agents.ts'
import type { Manager } from '#domain/agents/manager.ts'
import { notifyOwners } from '#domain/agents/notices.ts'
import { updateAgent } from '#domain/agents/update-agent.ts'
import type { User } from '#ports/stores/users.ts'
import { openAnchors } from '#wiring/audit/audit-proof.ts'
import { demandAnchors, verifyStore } from '#wiring/audit/verify-store.ts'
import { toIso } from '../basics/iso-time.ts'
import type { Config } from '../config.ts'
import { openOperatedStore, refuseEmptyFolder } from './operated-store.ts'
import { presentSecret } from './present-secrets.ts'

/** An agent in the operator's view. */
export type OperatedAgent = {
  readonly id: string
  readonly agentName: string
  readonly owner: string
  readonly tier: string
  readonly status: string
  readonly keyPrefix: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** The operator's actions on the agents of all owners. */
export type Operator = AsyncDisposable & {
  /** Newest first. */
  listAgents(): Promise<readonly OperatedAgent[]>
  revoke(id: string): Promise<{ readonly id: string; readonly revokedAt: string }>
  setStatus(id: string, status: 'active' | 'suspended'): Promise<OperatedAgent>
}

const LOCAL_OPERATOR: User = { id: 'operator', email: undefined, role: 'admin' }
const OPERATOR: Manager = { user: LOCAL_OPERATOR, client: 'localhost', via: 'cli' }
const PAGE = 100

/** Opens the data of a stopped service; the same rules apply as in the service. */
export async function openOperator(config: Config): Promise<Operator> {
  const store = await openOperatedStore(config)
  const { db, secrets, clock } = store
  const { publicUrl } = config.http
  const notify = notifyOwners(secrets, LIMITS.noticeMailsPerDay, () => publicUrl && `${publicUrl}/console`)
  const needs = { agents: sqlAgents({ db, secrets }), clock, tiers: TIERS, notify }
  const list = listAgents(needs)
  const revoke = revokeAgent(needs)
  const update = updateAgent(needs)
  return {
    async listAgents() {
      const agents: CurrentAgent[] = []
      let cursor: string | undefined
      do {
        const page = await list(LOCAL_OPERATOR, { all: true, cursor, limit: PAGE })
        agents.push(...page.agents)
        cursor = page.next
      } while (cursor !== undefined)
      return agents.map(toOperated)
    },
    async revoke(id) {
      const { revokedAt } = await revoke(OPERATOR, id)
      return { id, revokedAt: toIso(revokedAt) }
    },
    setStatus: async (id, status) =>
      toOperated(await update(OPERATOR, id, { status, rateLimits: undefined })),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** Verifies that no logged or sealed record was changed or is missing. Read-only, so the service may be running. */
export async function verifyAuditLog(config: Config, since?: string): Promise<AuditVerdict> {
  const { database, dataDir, keys } = config
  if (database.kind === 'sqlite') refuseEmptyFolder(database.folder)
  const pepper = await presentSecret('key-pepper', dataDir, keys.pepper, 'verified')
  const seal = auditSeal(database.kind === 'sqlite' ? await readAuditKey(database.folder) : pepper)
  const given = since === undefined ? [] : [anchorOfCheckpoint(since, seal)]
  const files = openAnchors(config, seal)
  const anchors = [...(await files.read()), ...given]
  const verdict = await verifyStore({ database, pepper, anchors })
  return demandAnchors(verdict, await files.missing())
}

function toOperated(agent: CurrentAgent): OperatedAgent {
  const { id, name, owner, tier, status, keyPrefix, createdAt, lastUsedAt } = agent
  return {
    id,
    agentName: name,
    owner,
    tier,
    status,
    keyPrefix,
    createdAt: toIso(createdAt),
    lastUsedAt: lastUsedAt === undefined ? null : toIso(lastUsedAt),
  }
}
