import { compoundYearly } from '../network/year.ts'
import { type RewardCurve, rewardOf } from './solver/reward-curve.ts'
import { curveAt, type StakeOption, type StakeOptions } from './stake-options.ts'

/** A validator that may be chosen. */
export type Place = {
  readonly option: StakeOption
  /** What is added on top of `held` earns, up to a share of its own. */
  readonly curve: RewardCurve
  /** What the caller's whole stake there earns, `held` included. */
  readonly base: RewardCurve
  readonly held: bigint
}

/** A validator that was chosen, and what it gets: to the unit, and as floats have it. */
export type StakedPart = Place & { readonly units: bigint; readonly amount: number }

/** What is added at a place. */
type Addition = { readonly place: Place; readonly amount: number }

/** APY in percent of the caller's whole holding at a place after an amount is added. */
export function apyWith(
  { pool }: StakeOptions,
  { base, held }: Pick<Place, 'base' | 'held'>,
  amount: number,
): number {
  const whole = Number(held) + amount
  return whole > 0 ? 100 * compoundYearly(rewardOf(base, whole) / whole, pool.epochsPerYear) : 0
}

type Holding = { readonly existing: ReadonlyMap<string, bigint>; readonly amount: bigint }

/**
 * The APY in percent of everything that the caller has staked once an amount is added: what is held stays and is diluted
 * by what is added to it, so that only the whole tells one split from another. Prepared once per snapshot.
 */
export function yieldOfWhole(
  market: StakeOptions,
): (holding: Holding) => (additions: readonly Addition[]) => number {
  const optionOf = new Map(market.options.map((option) => [option.validatorId, option]))
  return ({ existing, amount }) => {
    const totalStake = market.pool.totalStake + Number(amount)
    const yieldAt = (place: Pick<Place, 'base' | 'held'>, added: number): number =>
      (Number(place.held) + added) * apyWith(market, place, added)
    let [total, heldYield] = [Number(amount), 0]
    for (const [id, held] of existing) {
      total += Number(held)
      const option = optionOf.get(id)
      if (!option) continue
      const base = curveAt(market.pool, option, Number(option.stake - held), totalStake)
      heldYield += yieldAt({ base, held }, 0)
    }
    return (additions) => {
      let sum = heldYield
      for (const { place, amount } of additions) sum += yieldAt(place, amount) - yieldAt(place, 0)
      return sum / total
    }
  }
}
