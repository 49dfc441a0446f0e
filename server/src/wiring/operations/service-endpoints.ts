import type { Endpoints } from '#api/endpoint.ts'
import { serviceEndpoints } from '#api/endpoints/service.ts'
import { verifyAudit } from '#domain/audit/verify-audit.ts'
import type { NetworkState } from './network-state.ts'
import type { Wired } from './wired.ts'

/** The endpoints for operators of the service. */
export function operationEndpoints(
  { config: { database, redisUrls }, runtime: { clock, version }, parts }: Wired,
  { network }: NetworkState,
): Endpoints {
  const { writeProbe, upkeep, nodes, lease, storeRisks } = parts
  return serviceEndpoints({
    version,
    network,
    writeProbe,
    upkeep,
    nodes,
    isLeader: () => lease?.isHeld() ?? true,
    store: database.kind,
    counters: redisUrls ? 'redis' : database.kind === 'postgres' ? 'postgres' : 'memory',
    storeRisks,
    verifyAudit: verifyAudit({ proof: parts.auditProof, clock }),
  })
}
