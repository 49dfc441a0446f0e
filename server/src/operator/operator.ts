import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS, TIERS } from '@stakewright/contract'
import { anchorOfCheckpoint } from '#adapters/sql/audit/anchor-of-checkpoint.ts'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import type { AuditVerdict } from '#adapters/sql/audit/verify/verdict.ts'
import { readAuditKey } from '#adapters/sql/sqlite/audit/verify.ts'
import { followStoreTime } from '#adapters/sql/store-time.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { followingClock } from '#adapters/system/following-clock.ts'
import { loadSecret } from '#adapters/system/secrets.ts'
import { systemClock } from '#adapters/system/system-clock.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { CurrentAgent } from '#domain/agents/current-agent.ts'
import { revokeAgent } from '#domain/agents/keys/revoke-agent.ts'
import { listAgents } from '#domain/agents/list-agents.ts'
import type { Manager } from '#domain/agents/manager.ts'
import { notifyOwners } from '#domain/agents/notices.ts'
import { updateAgent } from '#domain/agents/update-agent.ts'
import type { Logger } from '#ports/logger.ts'
import type { User } from '#ports/stores/users.ts'
import { openAnchors } from '#wiring/audit/audit-proof.ts'
import { demandAnchors, verifyStore } from '#wiring/audit/verify-store.ts'
import { openStore } from '#wiring/open-store.ts'
import type { Config } from '../config.ts'
import { Fault, refusal } from '../fault.ts'

/** An agent as an operator sees it. */
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

/** What the operator of a service does with the agents of everybody. */
export type Operator = AsyncDisposable & {
  /** Newest first. */
  listAgents(): Promise<readonly OperatedAgent[]>
  revoke(id: string): Promise<{ readonly id: string; readonly revokedAt: string }>
  setStatus(id: string, status: 'active' | 'suspended'): Promise<OperatedAgent>
}

const WHOEVER_HAS_THE_FOLDER: User = { id: 'operator', email: undefined, role: 'admin' }
const OPERATOR: Manager = { user: WHOEVER_HAS_THE_FOLDER, client: 'localhost', via: 'cli' }
const PAGE = 100
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Works on the data of a service that is stopped, by the same rules as the service itself. */
export async function openOperator(config: Config): Promise<Operator> {
  if (config.database.kind === 'sqlite') refuseEmptyFolder(config.database.folder)
  await using opened = new AsyncDisposableStack()
  const { db } = opened.use(await openStore(config, SILENT))
  const pepper = await loadSecret(config.dataDir, 'key-pepper', config.keys.pepper)
  const secrets = openSecrets({ keyPrefix: config.keys.prefix, pepper })
  const clock = followingClock({ own: systemClock })
  await followStoreTime(db, clock)
  const { publicUrl } = config.http
  const notify = notifyOwners(secrets, LIMITS.noticeMailsPerDay, () => publicUrl && `${publicUrl}/console`)
  const needs = { agents: sqlAgents({ db, secrets }), clock, tiers: TIERS, notify }
  const list = listAgents(needs)
  const revoke = revokeAgent(needs)
  const update = updateAgent(needs)
  const resources = opened.move()
  return {
    async listAgents() {
      const agents: CurrentAgent[] = []
      let cursor: string | undefined
      do {
        const page = await list(WHOEVER_HAS_THE_FOLDER, { all: true, cursor, limit: PAGE })
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
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Whether anything that is logged or sealed was changed or is missing. It only reads, so the service may be running. */
export async function verifyAuditLog(config: Config, since?: string): Promise<AuditVerdict> {
  const { database } = config
  if (database.kind === 'sqlite') refuseEmptyFolder(database.folder)
  const pepper = await presentPepper(config)
  const seal = auditSeal(database.kind === 'sqlite' ? await readAuditKey(database.folder) : pepper)
  const given = since === undefined ? [] : [anchorOfCheckpoint(since, seal)]
  const files = openAnchors(config, seal)
  const anchors = [...(await files.read()), ...given]
  const verdict = await verifyStore({ database, pepper, anchors })
  return demandAnchors(verdict, await files.missing())
}

/** A new one must not be made here: actions, agents, keys and mandates are sealed with the one that there was. */
function presentPepper({ dataDir, keys }: Config): Promise<string> {
  if (keys.pepper !== undefined || existsSync(join(dataDir, 'key-pepper')))
    return loadSecret(dataDir, 'key-pepper', keys.pepper)
  throw new Fault(
    'store_not_ready',
    `Nothing was verified: management actions, agents, keys and mandates are sealed with the pepper, and it is not here. Set KEY_PEPPER as the service has it, or put its file key-pepper into ${dataDir}.`,
  )
}

/** Opening would make a new database, and a mistyped folder would look like one without agents. */
export function refuseEmptyFolder(folder: string): void {
  if (existsSync(join(folder, 'stakewright.db'))) return
  throw refusal(
    'not_found',
    `There is no database in ${folder}.`,
    'Set DATA_DIR to the folder of the service.',
  )
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

const toIso = (at: number): string => new Date(at).toISOString()
