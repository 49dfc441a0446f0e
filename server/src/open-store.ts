import { openRedis } from './adapters/redis/open-redis.ts'
import { redisTraffic } from './adapters/redis/redis-traffic.ts'
import type { AuditSeal } from './adapters/sql/audit-seal.ts'
import { openPostgres, type Patience, type PostgresStore } from './adapters/sql/postgres.ts'
import { openPostgresAdmission } from './adapters/sql/postgres-admission.ts'
import { postgresAuditUpkeep } from './adapters/sql/postgres-audit-upkeep.ts'
import { postgresLeases } from './adapters/sql/postgres-leases.ts'
import { openPostgresTraffic } from './adapters/sql/postgres-traffic.ts'
import { openSqlite, type SqliteStore } from './adapters/sql/sqlite.ts'
import { openSqliteAdmission } from './adapters/sql/sqlite-admission.ts'
import { openSqliteAuditUpkeep } from './adapters/sql/sqlite-audit-upkeep.ts'
import type { Config } from './config.ts'
import type { Admission, AdmissionRules } from './ports/admission.ts'
import type { AuditUpkeep } from './ports/audit-upkeep.ts'
import type { Clock } from './ports/clock.ts'
import type { Leases } from './ports/leases.ts'
import type { Logger } from './ports/logger.ts'
import type { TrafficCounters } from './ports/traffic-counters.ts'

/** The store that the configuration asks for: embedded and of one process, or one that many instances share. */
export function openStore(
  { database }: Config,
  logger: Logger,
  patience?: Patience,
): Promise<SqliteStore | PostgresStore> {
  if (database.kind === 'postgres')
    return openPostgres(database.url, { logger, ...(patience && { patience }) })
  return openSqlite(database.folder, { synchronous: database.synchronous })
}

export type AdmissionParts = AsyncDisposable & {
  readonly admission: Admission
  readonly upkeep: AuditUpkeep
  /** Undefined: this process is the only one, and counts by itself. */
  readonly traffic: TrafficCounters | undefined
  readonly leases: Leases | undefined
}

type Needs = {
  readonly rules: AdmissionRules
  readonly seal: AuditSeal
  readonly clock: Clock
  readonly logger: Logger
  readonly instance: string
}

/** What the hot path and the jobs around it need from the store. */
export async function openAdmission(
  config: Config,
  store: SqliteStore | PostgresStore,
  needs: Needs,
): Promise<AdmissionParts> {
  await using opened = new AsyncDisposableStack()
  const parts =
    store.kind === 'sqlite'
      ? await embeddedParts(opened, store, needs)
      : await sharedParts(opened, config, store, needs)
  const resources = opened.move()
  return { ...parts, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function embeddedParts(opened: AsyncDisposableStack, store: SqliteStore, needs: Needs) {
  const admission = opened.use(await openSqliteAdmission({ store, ...needs }))
  const upkeep = await openSqliteAuditUpkeep({ store, seal: needs.seal })
  return { admission, upkeep, traffic: undefined, leases: undefined }
}

async function sharedParts(opened: AsyncDisposableStack, config: Config, store: PostgresStore, needs: Needs) {
  const { clock, logger, instance } = needs
  const perMinute = config.limits.ipPerMinute
  const admission = opened.use(await openPostgresAdmission({ store, ...needs }))
  const leases = postgresLeases({ db: store.db, instance })
  const upkeep = postgresAuditUpkeep({ db: store.db, seal: needs.seal })
  if (!config.redisUrl) {
    const traffic = opened.use(openPostgresTraffic({ store, clock, instance, perMinute }))
    return { admission, upkeep, leases, traffic }
  }
  const { redis } = opened.use(await openRedis(config.redisUrl, logger))
  return { admission, upkeep, leases, traffic: redisTraffic({ redis, clock, perMinute }) }
}
