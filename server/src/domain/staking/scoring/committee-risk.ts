import type { ChainSnapshot, Validator } from '#ports/chain/staking-chain.ts'
import { willEarn } from './reward-pool.ts'
import { SCORING } from './scoring-rules.ts'

const { epochsLost, ...DANGERS } = SCORING.retention

/** The fraction of its rate that a validator keeps on average, given that it may lose its place in the committee. */
export function rateRetention(snapshot: ChainSnapshot): (validator: Validator) => number {
  const thresholds = {
    falling: Number(snapshot.system.minValidatorStake),
    eviction: competingStake(snapshot),
  }
  return ({ nextStake }) => {
    const chance = (danger: keyof typeof DANGERS): number => {
      if (thresholds[danger] === 0) return 0
      const { perEpoch, fading } = DANGERS[danger]
      const headroom = Math.max(0, Number(nextStake) / thresholds[danger] - 1)
      return perEpoch * Math.exp(-headroom / fading)
    }
    // On average it earns for 1 / lost epochs, then nothing for `epochsLost` epochs.
    const lost = chance('falling') + chance('eviction')
    return 1 / (1 + epochsLost * lost)
  }
}

/**
 * The stake needed to stay in a full set: that of the largest candidate, but at most that of the smallest member,
 * because a larger candidate stays out by choice. 0 while the set has room.
 */
export function competingStake({ system: { activeSet }, validators }: ChainSnapshot): number {
  if (activeSet === undefined || activeSet.members < activeSet.maxMembers) return 0
  const stakesWhere = (inside: boolean): number[] =>
    validators.filter((one) => willEarn(one) === inside).map(({ nextStake }) => Number(nextStake))
  return Math.min(Math.max(0, ...stakesWhere(false)), Math.min(...stakesWhere(true)))
}
