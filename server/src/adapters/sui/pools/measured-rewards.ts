import type { Pool, RateTable } from '../chain-reader.ts'
import type { Conversation } from '../connection/conversation.ts'
import { epochCache } from './epoch-cache.ts'
import type { PastCommissions } from './past-commissions.ts'
import { openRateBook } from './rate-book.ts'
import { type Rate, toTokens } from './share-math.ts'

/**
 * Measures the rewards of the last completed epoch, for networks that do not announce those of the present one: the
 * growth of each pool's shares, plus the commission. Recorded rates never change, so within an epoch only missing ones
 * are read again.
 */
export function openRewardMeter(table: RateTable, commissionsFrom: PastCommissions) {
  const bookOf = epochCache(() => openRateBook(table))

  return async (talk: Conversation, pools: readonly Pool[], epoch: number): Promise<bigint> => {
    const book = bookOf(talk, epoch)
    book.forgetMissing()
    const epochs = [epoch - 1, epoch].filter((known) => known >= 0)
    await book.load(
      talk,
      pools.map((pool) => ({ pool, epochs })),
    )
    const commissionIn = await commissionsFrom(epoch - 1)
    return pools.reduce((total, pool) => {
      const before = book.recorded(pool, epoch - 1)
      const after = book.recorded(pool, epoch)
      if (before === undefined || after === undefined) return total
      const gained = table.includesJoining
        ? gainOf(before.shares, before, after)
        : gainOf(after.shares, before, after)
      return total + beforeCommission(gained, commissionIn(pool, epoch - 1).commissionBps)
    }, 0n)
  }
}

/** The growth of the shares that were active in the epoch; later shares were bought at the new rate. */
function gainOf(shares: bigint, before: Rate, after: Rate): bigint {
  const gained = toTokens(after, shares) - toTokens(before, shares)
  return gained > 0n ? gained : 0n
}

/** The rewards before commission; unknown, and counted as 0, with a commission of 100%. */
function beforeCommission(gained: bigint, commissionBps: number): bigint {
  return commissionBps < 10_000 ? (gained * 10_000n) / BigInt(10_000 - commissionBps) : 0n
}
