import type { Field, FieldTerms } from './allocation/allocation-field.ts'
import { isWithin } from './solver/capped/group-caps.ts'
import { largestFew } from './solver/largest-few.ts'
import { rewardOf } from './solver/reward-curve.ts'
import type { StakeOptions } from './stake-options.ts'
import type { Place, yieldOfWhole } from './staked-part.ts'

/**
 * What simpler rules would do with the same amount. `highest_apy`: everything to the highest rate of the first unit ·
 * `equal_parts`: the same to each of the best scores · `by_stake`: to the largest validators, in proportion to their stake.
 */
export type Strategy = 'highest_apy' | 'equal_parts' | 'by_stake'

type Comparison = {
  readonly strategy: Strategy
  readonly validatorIds: readonly string[]
  /** Percent, of everything that is staked then. */
  readonly projectedApy: number
}

type Part = { readonly place: Place; readonly weight: number }

/**
 * Applies each simple rule to at most `count` validators, as many as the optimal split may use, and to fewer where
 * the amount is too small. A rule whose split would break the caller's limits is left out.
 */
export function compareStrategies(
  { minStake }: StakeOptions,
  { places, groups }: Field,
  {
    amount,
    roomOf,
    mustAdd,
    yieldOf,
  }: FieldTerms & {
    readonly yieldOf: ReturnType<ReturnType<typeof yieldOfWhole>>
  },
  count: number,
): readonly Comparison[] {
  const [whole, least] = [Number(amount), Number(minStake)]
  const isAllowed = (parts: readonly Part[]): boolean =>
    (!mustAdd || parts.some(({ place }) => mustAdd(place.option.validatorId))) &&
    parts.every(({ place, weight }) => {
      const part = weight * whole * (1 + CLOSE)
      return part >= least && weight * whole <= Number(roomOf(place.option.validatorId)) * (1 + CLOSE)
    }) &&
    isWithin(
      parts.map(({ place, weight }) => ({ curve: place.curve, amount: weight * whole })),
      groups,
    )
  return Object.entries(PARTS).flatMap(([strategy, partsOf]) => {
    const parts = partsOf(places, Math.min(count, Math.floor(whole / least)))
    if (!isAllowed(parts)) return []
    return {
      strategy: toStrategy(strategy),
      validatorIds: parts.map(({ place }) => place.option.validatorId),
      projectedApy: yieldOf(parts.map(({ place, weight }) => ({ place, amount: weight * whole }))),
    }
  })
}

/** Relative tolerance for float rounding. */
const CLOSE = 1e-12

const PARTS: Readonly<Record<Strategy, (places: readonly Place[], count: number) => readonly Part[]>> = {
  highest_apy: (places) => best(places, 1, quotedRate).map((place) => ({ place, weight: 1 })),
  equal_parts: (places, count) => {
    const chosen = best(places, count, ({ option }) => -option.rank)
    return chosen.map((place) => ({ place, weight: 1 / chosen.length }))
  },
  by_stake: (places, count) => {
    const chosen = best(places, count, ({ option }) => Number(option.stake))
    const whole = chosen.reduce((sum, { option }) => sum + Number(option.stake), 0)
    return chosen.map((place) => ({ place, weight: Number(place.option.stake) / whole }))
  },
}

/** What stake earns there now, with the caller's own in the pool. */
const quotedRate = ({ base, held }: Place): number =>
  held > 0n ? rewardOf(base, Number(held)) / Number(held) : base.entry

function best(places: readonly Place[], count: number, value: (place: Place) => number): readonly Place[] {
  const found = largestFew<Place>(count, Number.NEGATIVE_INFINITY)
  for (const place of places) found.offer(value(place), place)
  return found.kept.map(({ item }) => item)
}

/** The keys come from the table itself. */
const toStrategy = (key: string): Strategy => key as Strategy
