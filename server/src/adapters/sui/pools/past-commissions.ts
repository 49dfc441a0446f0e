import type { EpochRecord, NetworkName } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import type { Pool } from '../chain-reader.ts'

type PastCommission = Pick<EpochRecord, 'commissionBps' | 'commissionSource'>

/** The commission of a pool in a past epoch: as read in that epoch, else the present one. */
export type CommissionIn = (pool: Pool, epoch: number) => PastCommission

export type PastCommissions = (fromEpoch: number) => Promise<CommissionIn>

export const presentCommissions: PastCommissions = async () => assumePresent

type Needs = {
  readonly network: NetworkName
  readonly logger: Logger
  /** Undefined: the present commissions are used. */
  readonly seenCommissions?: Snapshots['commissions']
}

/** Failures of the store are only logged; the present commissions are used then. */
export function pastCommissions({ network, logger, seenCommissions }: Needs): PastCommissions {
  return async (fromEpoch) => {
    const seen = await seenCommissions?.(network, fromEpoch).catch((cause: unknown) => {
      logger.warn('commissions of past epochs cannot be read', { network, reason: String(cause) })
      return undefined
    })
    return (pool, epoch) => {
      const commissionBps = seen?.get(epoch)?.get(pool.validatorId)
      return commissionBps === undefined ? assumePresent(pool) : { commissionBps, commissionSource: 'read' }
    }
  }
}

const assumePresent = ({ commissionBps }: Pool): PastCommission => ({
  commissionBps,
  commissionSource: 'assumed',
})
