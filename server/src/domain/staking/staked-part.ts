import { compoundYearly } from '../network/year.ts'
import { type RewardCurve, rewardOf } from './solver/reward-curve.ts'
import { curveAt, type StakeOption, type StakeOptions } from './stake-options.ts'

/** A validator that may be chosen. */
export type Place = {
  readonly option: StakeOption
  /** The curve of stake added on top of `held`, with the place's own cap. */
  readonly curve: RewardCurve
  /** The curve of the caller's whole stake there, `held` included. */
  readonly base: RewardCurve
  readonly held: bigint
}

/** A chosen validator and its amount: exact (`units`) and as a float (`amount`). */
export type StakedPart = Place & { readonly units: bigint; readonly amount: number }

type Addition = { readonly place: Place; readonly amount: number }

/** APY in percent of the caller's whole holding at a place after an amount is added. */
export const apyWith = (market: StakeOptions, { base, held }: Place, amount: number): number =>
  apyOf(market, base, Number(held) + amount)

const apyOf = ({ pool }: StakeOptions, curve: RewardCurve, whole: number): number =>
  whole > 0 ? 100 * compoundYearly(rewardOf(curve, whole) / whole, pool.epochsPerYear) : 0

type Holding = { readonly existing: ReadonlyMap<string, bigint>; readonly amount: bigint }

/**
 * The APY in percent over the caller's existing and added stake. Added stake dilutes existing stake in the same pool,
 * so splits can only be compared by the whole. Prepared once per snapshot.
 */
export function yieldOfWhole(
  market: StakeOptions,
): (holding: Holding) => (additions: readonly Addition[]) => number {
  const optionOf = new Map(market.options.map((option) => [option.validatorId, option]))
  return ({ existing, amount }) => {
    const totalStake = market.pool.totalStake + Number(amount)
    const yieldOf = (base: RewardCurve, whole: number): number => whole * apyOf(market, base, whole)
    let [total, heldYield] = [Number(amount), 0]
    for (const [id, staked] of existing) {
      const held = Number(staked)
      total += held
      const option = optionOf.get(id)
      if (!option) continue
      heldYield += yieldOf(curveAt(market.pool, option, Number(option.stake - staked), totalStake), held)
    }
    return (additions) => {
      let sum = heldYield
      for (const { place, amount } of additions) {
        const held = Number(place.held)
        sum += yieldOf(place.base, held + amount) - yieldOf(place.base, held)
      }
      return sum / total
    }
  }
}
