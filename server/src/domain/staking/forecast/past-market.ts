import type { ChainSnapshot, EpochRecord, RewardShape, Validator } from '#ports/chain/staking-chain.ts'
import { type Measured, measureValidators } from '../scoring/score.ts'
import { SCORING } from '../scoring/scoring-rules.ts'
import { curveAt, stakeOptionsOf } from '../stake-options.ts'

type Records = ReadonlyMap<string, readonly EpochRecord[]>

/** Yearly rates by validator, as projected at the start of a past epoch. */
export type PastRates = ReadonlyMap<string, number>

/**
 * Reconstructs the snapshot at the start of a past epoch from the records before it. It uses the current rules of the
 * chain; announcements and pending stake of that time are not recorded. A validator counts as a committee member if
 * it earned in one of the last few epochs, because a member that missed one epoch still shares the next rewards. But
 * if the chain reports performance and has none for the validator in the newest epoch, it has left.
 */
export function pastSnapshot(present: ChainSnapshot, records: Records, epoch: number): Past {
  const recent = new Map<string, readonly EpochRecord[]>()
  for (const [id, ofPool] of records) {
    const end = lastBefore(ofPool, epoch) + 1
    if (ofPool[end - 1]?.epoch !== epoch - 1) continue
    recent.set(id, ofPool.slice(Math.max(0, end - SCORING.windows.history - 2), end))
  }
  const reported = [...recent.values()].some((ofPool) => ofPool.at(-1)?.performed !== undefined)
  const snapshot = {
    ...present,
    epoch: { ...present.epoch, number: epoch, nextCommitteeSelected: false },
    rewards: { ...present.rewards, perEpoch: BigInt(Math.round(rewardsPaid(present.rewards.shape, recent))) },
    validators: [...recent].map(([id, ofPool]) => toValidator(id, ofPool, reported)),
  }
  return { snapshot, records: recent }
}

export type Past = { readonly snapshot: ChainSnapshot; readonly records: Records }

/** The projections for a past epoch, from the records before it. */
export function projectAt(present: ChainSnapshot, records: Records, epoch: number): PastRates {
  const past = pastSnapshot(present, records, epoch)
  return projectedRates(past.snapshot, measureValidators(past.snapshot, past.records))
}

/** The service's projection for a negligible stake, for each eligible validator. */
export function projectedRates(snapshot: ChainSnapshot, measured: readonly Measured[]): PastRates {
  const unscored = measured.map((one) => ({ ...one, score: 0 }))
  const { pool, options } = stakeOptionsOf(snapshot, unscored)
  const rates = new Map<string, number>()
  for (const option of options) {
    if (!option.eligible) continue
    const { entry } = curveAt(pool, option, Number(option.stake), pool.totalStake)
    if (entry > 0) rates.set(option.validatorId, entry)
  }
  return rates
}

/**
 * The rewards of the newest recorded epoch: the earnings of all pools before commission. The earnings of a pool are
 * unknown with a commission of 100% or without an earlier record; they are extrapolated from the other pools, by
 * stake or (with equal pay) per pool.
 */
function rewardsPaid(shape: RewardShape, recent: Records): number {
  let [paid, seen, hidden] = [0, 0, 0]
  for (const ofPool of recent.values()) {
    const last = ofPool.at(-1)
    const before = ofPool.at(-2)
    const growth = last ? growthBetween(before, last) : 0
    if (!last || !(last.performed ?? growth > 0)) continue
    const kept = 1 - last.commissionBps / 10_000
    const part = shape.kind === 'equal-share' ? 1 : Number(last.stake)
    if (kept > 0 && before) {
      paid += (growth * Number(last.stake)) / kept
      seen += part
    } else hidden += part
  }
  return seen > 0 ? (paid * (seen + hidden)) / seen : 0
}

/** The index of the newest record before an epoch; −1 if there is none. Binary search. */
export function lastBefore(records: readonly EpochRecord[], epoch: number): number {
  let [low, high] = [0, records.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((records[middle]?.epoch ?? epoch) < epoch) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The relative growth of the exchange rate from one record to another. */
export function growthBetween(from: EpochRecord | undefined, to: EpochRecord): number {
  if (!from || from.rate.shares === 0n || to.rate.shares === 0n || from.rate.tokens === 0n) return 0
  const before = from.rate.tokens * to.rate.shares
  return Number(to.rate.tokens * from.rate.shares - before) / Number(before)
}

/** A validator counts as a member if it earned in one of this many epochs. */
const LENIENCE = 3

function toValidator(id: string, recent: readonly EpochRecord[], reported: boolean): Validator {
  const last = recent.at(-1)
  const lenience = reported && last?.performed === undefined ? 1 : LENIENCE
  const earns = recent.slice(-lenience).some((one, index, latest) => {
    const before = recent[recent.length - latest.length + index - 1]
    return one.performed ?? growthBetween(before, one) > 0
  })
  const [stake, commissionBps] = [last?.stake ?? 0n, last?.commissionBps ?? 0]
  return {
    id,
    name: id,
    status: earns ? 'active' : 'inactive',
    stake,
    nextStake: stake,
    pendingStake: 0n,
    withdrawingStake: 0n,
    claimableStake: undefined,
    unclaimedRewards: 0n,
    commissionBps,
    nextCommissionBps: commissionBps,
    inNextCommittee: undefined,
  }
}
