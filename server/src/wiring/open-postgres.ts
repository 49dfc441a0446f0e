import { openRedis } from '#adapters/redis/open-redis.ts'
import { redisTraffic } from '#adapters/redis/redis-traffic.ts'
import { openPostgresAdmission } from '#adapters/sql/postgres/admission.ts'
import { postgresAgentBatches } from '#adapters/sql/postgres/audit/agent-batches.ts'
import { postgresAuditUpkeep } from '#adapters/sql/postgres/audit/upkeep.ts'
import { postgresLeases } from '#adapters/sql/postgres/leases.ts'
import type { PostgresStore } from '#adapters/sql/postgres/open.ts'
import { openPostgresTraffic } from '#adapters/sql/postgres/traffic.ts'
import { sqlRequestLog } from '#adapters/sql/stores/request-log.ts'
import type { Config } from '../config.ts'
import type { AdmissionNeeds, AdmissionParts } from './admission-parts.ts'

export { openPostgres } from '#adapters/sql/postgres/open.ts'

/** The parts of a store shared by several instances: durable data in Postgres, counters in Redis if configured. */
export async function openPostgresParts(
  opened: AsyncDisposableStack,
  config: Config,
  store: PostgresStore,
  needs: AdmissionNeeds,
): Promise<Omit<AdmissionParts, typeof Symbol.asyncDispose>> {
  const { clock, logger, instance } = needs
  const perMinute = config.limits.ipPerMinute
  const admission = opened.use(await openPostgresAdmission({ store, ...needs }))
  const leases = postgresLeases({ db: store.db, instance })
  const upkeep = postgresAuditUpkeep({ store, seal: needs.seal, secrets: needs.secrets })
  const requestLog = sqlRequestLog(store.db, postgresAgentBatches(store.db, needs.seal))
  if (!config.redisUrls) {
    const traffic = opened.use(openPostgresTraffic({ store, clock, instance, perMinute }))
    return { admission, upkeep, requestLog, leases, traffic, counterRisks: [] }
  }
  const { redis, risks } = opened.use(await openRedis(config.redisUrls, logger, needs.redisTimeouts))
  for (const risk of risks) logger.warn(risk)
  const traffic = redisTraffic({ redis, clock, perMinute })
  return { admission, upkeep, requestLog, leases, traffic, counterRisks: risks }
}
