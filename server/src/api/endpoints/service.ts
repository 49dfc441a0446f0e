import { adminOnly } from '#domain/agents/management-rights.ts'
import { refuseVerification, type verifyAudit } from '#domain/audit/verify-audit.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { ChainNodes } from '#ports/chain/chain-nodes.ts'
import type { AuditUpkeep } from '#ports/stores/audit-upkeep.ts'
import type { WriteProbe } from '#ports/stores/write-probe.ts'
import { toIso } from '../../basics/iso-time.ts'
import type { Endpoints } from '../endpoint.ts'

type Needs = {
  readonly version: string
  readonly network: CurrentNetwork
  readonly writeProbe: WriteProbe
  readonly upkeep: AuditUpkeep
  readonly nodes: ChainNodes
  readonly isLeader: () => boolean
  readonly store: 'sqlite' | 'postgres'
  readonly counters: 'memory' | 'postgres' | 'redis'
  readonly storeRisks: readonly string[]
  readonly verifyAudit: ReturnType<typeof verifyAudit>
}

/** The state of the service, for its operators. */
export function serviceEndpoints(needs: Needs) {
  const { version, network, upkeep, nodes, isLeader, store, counters, storeRisks, verifyAudit } = needs
  return {
    serviceStatus: {
      refuse: ({ user }) => adminOnly(user, 'see how the service does'),
      handle: async () => {
        const view = network.peek()
        const signedAt = await upkeep.lastCheckpointAt()
        const data = {
          version,
          network: view?.snapshot.network ?? null,
          epoch: view?.snapshot.epoch.number ?? null,
          dataAgeSeconds: view ? network.ageSeconds(view) : null,
          store: { kind: store, isWritable: await isWritable(needs.writeProbe) },
          counters,
          storeRisks: [...storeRisks],
          isLeader: isLeader(),
          nodes: nodes.states().map(({ waitMs, ...node }) => ({
            ...node,
            retryInSeconds: Math.ceil(waitMs / 1000),
          })),
          auditSignedAt: signedAt === undefined ? null : toIso(signedAt),
        }
        return { reply: { success: true, data } }
      },
    },
    verifyAudit: {
      refuse: ({ user }) => refuseVerification(user),
      handle: async (_input, { signal }) => {
        const { verdict, checkedAt } = await verifyAudit(signal())
        const isIntact = verdict.kind === 'intact'
        const data = {
          isIntact,
          batches: isIntact ? verdict.batches : null,
          checkpoints: isIntact ? verdict.checkpoints : null,
          from: (isIntact ? verdict.from : undefined) ?? null,
          to: (isIntact ? verdict.to : undefined) ?? null,
          brokenAt: isIntact ? null : verdict.seq,
          reason: isIntact ? null : verdict.reason,
          checkedAt: toIso(checkedAt),
        }
        return { reply: { success: true, data } }
      },
    },
  } satisfies Endpoints
}

const isWritable = (probe: WriteProbe): Promise<boolean> =>
  probe.check().then(
    () => true,
    () => false,
  )
