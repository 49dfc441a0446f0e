import type { NetworkName } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import type { Pool } from '../chain-reader.ts'

/** The commission that a pool had in an epoch: as it was read then, else the present one. */
export type CommissionIn = (pool: Pool, epoch: number) => number

export type PastCommissions = (fromEpoch: number) => Promise<CommissionIn>

export const presentCommissions: PastCommissions = async () => (pool) => pool.commissionBps

type Needs = {
  readonly network: NetworkName
  readonly logger: Logger
  /** Absent: the present commissions are taken. */
  readonly seenCommissions?: Snapshots['commissions']
}

/** Failures of the store are only logged: the present commissions are taken. */
export function pastCommissions({ network, logger, seenCommissions }: Needs): PastCommissions {
  return async (fromEpoch) => {
    const seen = await seenCommissions?.(network, fromEpoch).catch((cause: unknown) => {
      logger.warn('commissions of past epochs cannot be read', { network, reason: String(cause) })
      return undefined
    })
    return (pool, epoch) => seen?.get(epoch)?.get(pool.validatorId) ?? pool.commissionBps
  }
}
