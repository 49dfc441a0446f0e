import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
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
import { compareIds, type ScoredValidator } from './scoring/score.ts'
import { isInSet, removalsLeft } from './set-removal.ts'
import { type RewardCurve, rewardCurve } from './solver/reward-curve.ts'

/** A validator as a place for stake: everything the optimiser needs to know of it. */
export type StakeOption = Membership & {
  readonly validatorId: string
  /** Its place in the order of scores, from 0. */
  readonly rank: number
  readonly score: number
  /** The commission to reckon with, a fraction. */
  readonly commission: number
  /** False when a gate is closed: it gets no new stake. */
  readonly eligible: boolean
  /** In the set that coming committees are made of: it leaves the set when its stake falls below the joining stake. */
  readonly inSet: boolean
  /** The stake that will be there when a stake made now becomes active. */
  readonly stake: bigint
  /** The share of a typical validator's rewards that reaches its stakers: relative quality less commission, by whole shards. */
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
  /** In the order of their ids, which is what decides between equals. */
  readonly options: readonly StakeOption[]
}

/**
 * The market by the rules of `now`. Data may be from before the selection of the next committee, and a chain may be late
 * with it: once it is due, all that sit in the committee are taken to be selected. What is planned by that is accepted
 * either way, because everything comes later, not earlier.
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

/** A validator can fail in ways that its history has not shown: this much of its yearly rate, always. */
const UNSEEN_DEVIATION = 0.1

type Scored = Pick<ScoredValidator, 'validator' | 'score' | 'quality' | 'closedGates'>

/** Done once per snapshot. */
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
      // Measured on the network's rate: a higher commission must not make a validator look safer.
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
    options: options.toSorted((a, b) => compareIds(a.validatorId, b.validatorId)),
  }
}

/**
 * The mean quality of those that will earn, by their part of the rewards. All rewards are paid to somebody: what one
 * misses is shared out among the others, so that only the quality relative to this mean decides what is paid.
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

/** What stake beside `stake` of others earns, in a network that then has `totalStake`. */
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
