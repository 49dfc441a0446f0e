import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { compare } from '../compare.ts'
import { hasTwoSteps, type Membership, membershipOf } from './epoch-rules.ts'
import { rateRetention } from './scoring/committee-risk.ts'
import {
  expectedCommission,
  networkYearlyRate,
  type RewardPool,
  rewardPoolOf,
  seatFactor,
  willEarn,
} from './scoring/reward-pool.ts'
import type { ScoredValidator } from './scoring/score.ts'
import { isInSet, removalsLeft } from './set-removal.ts'
import { type RewardCurve, rewardCurve } from './solver/reward-curve.ts'

/** A validator with all data that the optimiser needs. */
export type StakeOption = Membership & {
  readonly validatorId: string
  /** Its rank by score, from 0. */
  readonly rank: number
  readonly score: number
  /** The expected commission, a fraction. */
  readonly commission: number
  /** False if a gate is closed: it gets no new stake. */
  readonly eligible: boolean
  /** Whether it is in the set from which committees are selected; it leaves the set below the joining stake. */
  readonly inSet: boolean
  /** Its stake at the time when a stake made now becomes active. */
  readonly stake: bigint
  /** Rewards of its stakers relative to a typical validator: relative quality, less commission, by whole shards. */
  readonly efficiency: number
  /** Variance of the yearly rate. */
  readonly variance: number
}

export type StakeOptions = {
  readonly network: ChainSnapshot['network']
  readonly epoch: ChainSnapshot['epoch']
  readonly minStake: bigint
  readonly minValidatorStake: bigint
  /** How many validators the chain lets drop out of its set in this epoch. */
  readonly removalsLeft: number
  readonly pool: RewardPool
  /** Sorted by id, which breaks ties. */
  readonly options: readonly StakeOption[]
}

/**
 * The market by the rules of `now`. The snapshot may be older than the selection of the next committee, or the chain
 * may be late: once the selection is due, all current members are assumed to be selected. Plans made so are valid in
 * both cases, because the assumption only delays payouts.
 */
export function withSelectionDue(market: StakeOptions, dueAt: number, now: number): StakeOptions {
  const { epoch, network, options } = market
  if (epoch.nextCommitteeSelected || !hasTwoSteps(network) || now < dueAt) return market
  return {
    ...market,
    epoch: { ...epoch, nextCommitteeSelected: true },
    options: options.map((option) => ({
      ...option,
      inNextCommittee: option.inNextCommittee || option.inCommittee,
    })),
  }
}

/** Deviation added for failures that the history has not shown, as a fraction of the yearly rate. */
const UNSEEN_DEVIATION = 0.1

type Scored = Pick<ScoredValidator, 'validator' | 'score' | 'quality' | 'closedGates'>

/** Computed once per snapshot. */
export function stakeOptionsOf(snapshot: ChainSnapshot, scored: readonly Scored[]): StakeOptions {
  const pool = rewardPoolOf(snapshot)
  const rate = networkYearlyRate(pool)
  const retention = rateRetention(snapshot)
  const typical = meanQuality(pool, scored)
  const options = scored.map(({ validator, score, quality, closedGates }, rank): StakeOption => {
    const earns =
      !closedGates.includes('not_in_next_committee') && !closedGates.includes('below_joining_stake')
    return {
      validatorId: validator.id,
      rank,
      score,
      commission: expectedCommission(validator),
      eligible: closedGates.length === 0,
      inSet: isInSet(validator),
      ...membershipOf(validator),
      stake: validator.nextStake,
      efficiency: earns
        ? (quality.expected / typical) *
          (1 - expectedCommission(validator)) *
          retention(validator) *
          seatFactor(pool, validator)
        : 0,
      // Scaled by the network's rate: a higher commission must not make a validator look safer.
      variance: (quality.deviation ** 2 + UNSEEN_DEVIATION ** 2) * rate ** 2,
    }
  })
  return {
    network: snapshot.network,
    epoch: snapshot.epoch,
    minStake: snapshot.token.minStake,
    minValidatorStake: snapshot.system.minValidatorStake,
    removalsLeft: removalsLeft(snapshot),
    pool,
    options: options.toSorted((a, b) => compare(a.validatorId, b.validatorId)),
  }
}

/**
 * The mean quality of earning validators, weighted by their share of the rewards. All rewards are paid to somebody:
 * what one validator misses goes to the others, so only the quality relative to this mean matters.
 */
function meanQuality(pool: RewardPool, scored: readonly Scored[]): number {
  const { shape, totalStake } = pool
  let [sum, weights] = [0, 0]
  for (const { validator, quality } of scored) {
    if (!willEarn(validator)) continue
    const stake = Number(validator.nextStake)
    const byStake = shape.kind === 'equal-share' ? 1 : Math.min(stake, shape.capShare * totalStake)
    const weight = byStake * seatFactor(pool, validator)
    sum += weight * quality.expected
    weights += weight
  }
  return sum > 0 ? sum / weights : 1
}

/** The reward curve of new stake in a pool with `stake` of others, in a network with `totalStake` after it. */
export function curveAt(
  pool: RewardPool,
  { efficiency, variance }: StakeOption,
  stake: number,
  totalStake: number,
): RewardCurve {
  const others = Math.max(1, stake)
  if (pool.shape.kind === 'equal-share') {
    const pot = (efficiency * pool.yearlyRewards) / pool.members
    return rewardCurve({ stake: others, slope: 0, knee: 0, decline: pot * others, cost: 0, variance })
  }
  const slope = (efficiency * pool.yearlyRewards) / totalStake
  const capped = pool.shape.capShare * totalStake
  const knee = Math.max(0, Math.floor(capped - others))
  const pot = slope * (knee > 0 ? others + knee : capped)
  return rewardCurve({ stake: others, slope, knee, decline: pot * others, cost: 0, variance })
}
