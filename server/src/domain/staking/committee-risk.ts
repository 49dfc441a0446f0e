import type { ChainSnapshot, Validator } from '#ports/staking-chain.ts'
import { willEarn } from './reward-pool.ts'

/**
 * Fitted to how long validators stayed among the 102 largest of a real network: within two percent above the threshold
 * one is pushed out in one epoch of ten, a fifth above it in one of a thousand, and stake there then loses two to three
 * epochs. Smooth, because a step in the curve would make stake move to and fro.
 */
const EVICTION = { loss: 0.24, fading: 0.06 } as const

/** The part of its rate that a validator keeps, given that it may be pushed out of the committee by a larger one. */
export function retentionIn(snapshot: ChainSnapshot): (validator: Validator) => number {
  const threshold = entryThreshold(snapshot)
  return ({ nextStake }) => {
    if (threshold === 0) return 1
    const headroom = Math.max(0, Number(nextStake) / threshold - 1)
    return 1 - EVICTION.loss * Math.exp(-headroom / EVICTION.fading)
  }
}

/**
 * The stake that keeps a validator in the committee: the least the network demands, and more where larger ones wait
 * outside. Whoever is inside has it, so that a large validator that stays out by choice says nothing.
 */
function entryThreshold({ system, validators }: ChainSnapshot): number {
  const stakesWhere = (inside: boolean): number[] =>
    validators.filter((one) => willEarn(one) === inside).map(({ nextStake }) => Number(nextStake))
  const competing = Math.min(Math.max(0, ...stakesWhere(false)), Math.min(...stakesWhere(true)))
  return Math.max(competing, Number(system.minValidatorJoiningStake))
}
