import type { Epoch, EpochRecord } from '#ports/chain/staking-chain.ts'
import type { Pool } from '../chain-reader.ts'
import type { Conversation } from '../connection/conversation.ts'
import type { CommissionIn } from './past-commissions.ts'
import type { RateBook } from './rate-book.ts'
import { FLAT, type Rate, rateGrew } from './share-math.ts'

/**
 * The rewards of epoch e are in the rate recorded at the start of e + 1. An epoch without a recorded rate keeps the one
 * before: the pool was not in the committee. Times of past epochs are extrapolated back from the start of the present
 * one, because the chains do not store them.
 */
export async function readEpochRecords(
  talk: Conversation,
  book: RateBook,
  pools: readonly Pool[],
  epoch: Epoch,
  fromEpoch: number,
  commissionIn: CommissionIn,
): Promise<readonly EpochRecord[]> {
  const spans = pools.flatMap((pool) => {
    const first = Math.max(fromEpoch, pool.activationEpoch ?? epoch.number)
    const last = Math.min(epoch.number, pool.lastEpoch ?? epoch.number) - 1
    return first <= last ? [{ pool, first, last, epochs: range(first, last + 1) }] : []
  })
  await book.load(talk, spans)
  const rewarded = new Set(
    spans.flatMap(({ pool, first, last }) => range(first, last).filter((e) => book.recorded(pool, e + 1))),
  )
  const starts = await book.ratesAt(
    talk,
    spans.map(({ pool, first }) => ({ pool, epoch: first })),
  )
  const known = { book, epoch, rewarded, commissionIn }
  return spans
    .flatMap((span, at) => recordsOf(span, starts[at] ?? FLAT, known))
    .sort((a, b) => a.epoch - b.epoch)
}

type Known = {
  readonly book: RateBook
  readonly epoch: Epoch
  readonly rewarded: ReadonlySet<number>
  readonly commissionIn: CommissionIn
}

type Span = { readonly pool: Pool; readonly first: number; readonly last: number }

function recordsOf(
  { pool, first, last }: Span,
  start: Rate,
  { book, epoch, rewarded, commissionIn }: Known,
): readonly EpochRecord[] {
  let rate = start
  return range(first, last).map((number) => {
    const before = rate
    const own = book.recorded(pool, number + 1)
    rate = own ?? before
    const commission = commissionIn(pool, number)
    return {
      validatorId: pool.validatorId,
      epoch: number,
      endedAt: epoch.startedAt - (epoch.number - 1 - number) * epoch.durationMs,
      rate,
      stake: stakeAt(book.includesJoining ? before : rate),
      ...commission,
      performed: rewarded.has(number) ? performed(before, own, commission.commissionBps) : undefined,
    }
  })
}

/**
 * The active stake of the epoch: the tokens of the previous rate if rates include joining stake, otherwise those of
 * its own rate.
 */
const stakeAt = (rate: Rate): bigint => (rate === FLAT ? 0n : rate.tokens)

/** With a commission of 100% the rate does not change, so whether the validator was rewarded is unknown. */
function performed(before: Rate, own: Rate | undefined, commissionBps: number): boolean | undefined {
  if (own === undefined) return false
  if (rateGrew(before, own)) return true
  return commissionBps === 10_000 ? undefined : false
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)
}
