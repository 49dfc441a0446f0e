import type { RedisTimeouts } from '#adapters/redis/open-redis.ts'
import type { AuditSeal } from '#adapters/sql/audit/seal.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Admission, AdmissionRules } from '#ports/stores/admission.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import type { Leases } from '#ports/stores/leases.ts'
import type { RequestLog } from '#ports/stores/request-log.ts'
import type { TrafficCounters } from '#ports/stores/traffic-counters.ts'

/** What the hot path and the jobs around it get from a store, whichever it is. */
export type AdmissionParts = AsyncDisposable & {
  readonly admission: Admission
  readonly upkeep: AuditUpkeep
  readonly requestLog: RequestLog
  /** Undefined: this process is the only one, and counts by itself. */
  readonly traffic: TrafficCounters | undefined
  readonly leases: Leases | undefined
  /** Settings of a store that only counts requests, with which it forgets them. */
  readonly counterRisks: readonly string[]
}

export type AdmissionNeeds = {
  readonly rules: AdmissionRules
  readonly secrets: Pick<Secrets, 'digest'>
  readonly seal: AuditSeal
  readonly clock: Clock
  readonly logger: Logger
  readonly instance: string
  readonly redisTimeouts?: RedisTimeouts | undefined
}
