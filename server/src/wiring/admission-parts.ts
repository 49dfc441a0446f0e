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

/** The parts of any store that admission and its jobs need. */
export type AdmissionParts = AsyncDisposable & {
  readonly admission: Admission
  readonly upkeep: AuditUpkeep
  readonly requestLog: RequestLog
  /** Undefined: this process is the only instance and counts in memory. */
  readonly traffic: TrafficCounters | undefined
  readonly leases: Leases | undefined
  /** Warnings about settings of the counter store that may lose counts. */
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
