import type { ChainSnapshot, RewardShape, Validator } from '#ports/chain/staking-chain.ts'
import { epochsPerYear } from '../../network/year.ts'

/** What the network pays in a year, and to how many members and how much stake it is paid. */
export type RewardPool = {
  readonly shape: RewardShape
  readonly epochsPerYear: number
  readonly yearlyRewards: number
  readonly members: number
  readonly totalStake: number
}

/**
 * Only members of the committee that a stake made now will meet earn anything. Until it is selected, those are the
 * present ones that stay and those that wait to join.
 */
export const willEarn = ({ status, inNextCommittee }: Validator): boolean =>
  inNextCommittee ?? (status === 'active' || status === 'pending')

export function rewardPoolOf({ epoch, rewards, validators }: ChainSnapshot): RewardPool {
  const members = validators.filter(willEarn)
  const perYear = epochsPerYear(epoch.durationMs)
  // Added up exactly, so that the order of the validators cannot matter.
  const totalStake = members.reduce((sum, { nextStake }) => sum + nextStake, 0n)
  return {
    shape: rewards.shape,
    epochsPerYear: perYear,
    yearlyRewards: perYear * Number(rewards.perEpoch),
    members: Math.max(1, members.length),
    totalStake: Math.max(1, Number(totalStake)),
  }
}

/** What one staked unit earns in a year at a flawless member with this much stake, before commission. */
export function grossYearlyRate(pool: RewardPool, stake: number): number {
  const own = Math.max(1, stake)
  if (pool.shape.kind === 'equal-share') return pool.yearlyRewards / pool.members / own
  const counted = Math.min(own, pool.shape.capShare * pool.totalStake)
  return (pool.yearlyRewards * (counted / own)) / pool.totalStake
}

/** The yearly rate of the network as a whole, before commission. */
export const networkYearlyRate = (pool: RewardPool): number => pool.yearlyRewards / pool.totalStake

/** The commission to reckon with: an announced raise counts at once, an announced cut only when it comes. */
export const expectedCommission = ({ commissionBps, nextCommissionBps }: Validator): number =>
  Math.min(1, Math.max(commissionBps, nextCommissionBps) / 10_000)
