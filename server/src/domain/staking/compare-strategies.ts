import type { Field, FieldTerms } from './allocation/allocation-field.ts'
import { isWithin } from './solver/capped/group-caps.ts'
import { rewardOf } from './solver/reward-curve.ts'
import type { StakeOptions } from './stake-options.ts'
import type { Place, yieldOfWhole } from './staked-part.ts'

/**
 * Simpler rules for the same amount. `highest_apy`: everything to the highest current rate. `equal_parts`: the same
 * amount to each of the best scores. `by_stake`: to the largest validators, in proportion to their stake.
 */
export type Strategy = 'highest_apy' | 'equal_parts' | 'by_stake'

type Comparison = {
  readonly strategy: Strategy
  readonly validatorIds: readonly string[]
  /** Percent, over existing and new stake. */
  readonly projectedApy: number
}

type Part = { readonly place: Place; readonly weight: number }

type Terms = FieldTerms & { readonly yieldOf: ReturnType<ReturnType<typeof yieldOfWhole>> }

/**
 * Applies each simple rule to at most `count` validators (the limit of the optimal split), or fewer if the amount is
 * too small. A rule whose split would break the caller's limits is left out. Prepared once per snapshot.
 */
export function strategiesIn(
  market: StakeOptions,
): (field: Field, terms: Terms, count: number) => readonly Comparison[] {
  const least = Number(market.minStake)
  const rankByStake = market.options.toSorted((a, b) => Number(b.stake - a.stake)).map(({ rank }) => rank)
  return ({ places, groups }, { amount, roomOf, mustAdd, yieldOf }, count) => {
    const whole = Number(amount)
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
    const candidates = { places, placeOf: byRank(places), rankByStake }
    const most = Math.min(count, Math.floor(whole / least))
    return Object.entries(PARTS).flatMap(([strategy, partsOf]) => {
      const parts = partsOf(candidates, most)
      if (!isAllowed(parts)) return []
      return {
        strategy: toStrategy(strategy),
        validatorIds: parts.map(({ place }) => place.option.validatorId),
        projectedApy: yieldOf(parts.map(({ place, weight }) => ({ place, amount: weight * whole }))),
      }
    })
  }
}

/** Relative tolerance for float rounding. */
const CLOSE = 1e-12

type Candidates = {
  readonly places: readonly Place[]
  /** The place of each rank; undefined for a validator that may not be chosen. */
  readonly placeOf: readonly (Place | undefined)[]
  /** The ranks of all validators, sorted by stake, largest first. */
  readonly rankByStake: readonly number[]
}

const PARTS: Readonly<Record<Strategy, (candidates: Candidates, count: number) => readonly Part[]>> = {
  highest_apy: ({ places }) => highestRate(places).map((place) => ({ place, weight: 1 })),
  equal_parts: ({ placeOf }, count) => {
    const chosen = firstFew(placeOf, count)
    return chosen.map((place) => ({ place, weight: 1 / chosen.length }))
  },
  by_stake: ({ placeOf, rankByStake }, count) => {
    const chosen = firstFew(
      rankByStake.map((rank) => placeOf[rank]),
      count,
    )
    const whole = chosen.reduce((sum, { option }) => sum + Number(option.stake), 0)
    return chosen.map((place) => ({ place, weight: Number(place.option.stake) / whole }))
  },
}

function byRank(places: readonly Place[]): readonly (Place | undefined)[] {
  const placeOf: (Place | undefined)[] = []
  for (const place of places) placeOf[place.option.rank] = place
  return placeOf
}

function firstFew(places: Iterable<Place | undefined>, count: number): readonly Place[] {
  const few: Place[] = []
  for (const place of places) {
    if (few.length >= count) break
    if (place) few.push(place)
  }
  return few
}

/** The current rate of a place, with the caller's own stake in the pool. */
const quotedRate = ({ base, held }: Place): number =>
  held > 0n ? rewardOf(base, Number(held)) / Number(held) : base.entry

function highestRate(places: readonly Place[]): readonly Place[] {
  let highest: { readonly place: Place; readonly rate: number } | undefined
  for (const place of places) {
    const rate = quotedRate(place)
    if (!highest || rate > highest.rate) highest = { place, rate }
  }
  return highest ? [highest.place] : []
}

/** The keys come from the table itself. */
const toStrategy = (key: string): Strategy => key as Strategy
