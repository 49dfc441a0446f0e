import type { ChainSnapshot, Validator } from '#ports/staking-chain.ts'
import { willEarn } from './reward-pool.ts'

/**
 * How a validator can lose its place, and how often that happens in an epoch: `perEpoch` at the threshold itself, fading
 * with the headroom above it. Fitted to the first half of a real history of the 102 largest validators of a network; the
 * second half shows the same. Smooth, because a step in the curve would make stake move to and fro.
 */
const DANGERS = {
  /** Its stakers leave, and it falls below what the network demands: one in 15 at a headroom of 1 %, in 80 at 10 %. */
  falling: { perEpoch: 0.06, fading: 0.08 },
  /** A larger one pushes it out of a full set: two in five up to 2 %, one in nine up to 5 %, one in 90 from 10 % on. */
  eviction: { perEpoch: 0.3, fading: 0.044 },
} as const

/** Noticed, withdrawn, active again elsewhere: until then stake with a validator that has lost its place earns nothing. */
const EPOCHS_LOST = 3

/** The part of its rate that a validator keeps, given that it may lose its place in the committee. */
export function retentionIn(snapshot: ChainSnapshot): (validator: Validator) => number {
  const thresholds = {
    falling: Number(snapshot.system.minValidatorJoiningStake),
    eviction: competingStake(snapshot),
  }
  return ({ nextStake }) => {
    const chance = (danger: keyof typeof DANGERS): number => {
      if (thresholds[danger] === 0) return 0
      const { perEpoch, fading } = DANGERS[danger]
      const headroom = Math.max(0, Number(nextStake) / thresholds[danger] - 1)
      return perEpoch * Math.exp(-headroom / fading)
    }
    // It earns for 1 / lost epochs, and then not for those it takes to come back.
    const lost = chance('falling') + chance('eviction')
    return 1 / (1 + EPOCHS_LOST * lost)
  }
}

/**
 * The stake that it takes to stay in a full set: that of the largest one outside. Whoever is inside has it, so that a
 * large validator that stays out by choice says nothing. A set that has room pushes nobody out.
 */
function competingStake({ system: { activeSet }, validators }: ChainSnapshot): number {
  if (activeSet === undefined || activeSet.members < activeSet.maxMembers) return 0
  const stakesWhere = (inside: boolean): number[] =>
    validators.filter((one) => willEarn(one) === inside).map(({ nextStake }) => Number(nextStake))
  return Math.min(Math.max(0, ...stakesWhere(false)), Math.min(...stakesWhere(true)))
}
