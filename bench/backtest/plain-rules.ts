import type { MarketView } from './market-view.ts'
import type { HistoryRow } from './read-history.ts'
import type { Portfolio, Strategy } from './strategy.ts'

export const COUNT = 10
/** In epochs, for the mean APY. */
const MEAN_WINDOW = 10

/** Rules without a model: rankings that anybody can read off a list of validators. */
export function plainRules(every: number): readonly Strategy[] {
  const ruleOf = (name: string, decide: (view: MarketView) => Portfolio, often = every): Strategy => ({
    name,
    every: often,
    movesForFree: false,
    decide,
  })
  const topByMean = (view: MarketView): Portfolio => equally(best(view.universe, meanApy(view), COUNT))
  const topByLast = ({ universe }: MarketView): Portfolio => equally(best(universe, ({ apy }) => apy, COUNT))
  return [
    { ...ruleOf('stake-weighted index', ({ universe }) => byStake(universe), 1), movesForFree: true },
    ruleOf('equal weight, all', ({ universe }) => equally(universe)),
    ruleOf('top-1 last APY', ({ universe }) => equally(best(universe, ({ apy }) => apy, 1))),
    ruleOf('top-10 last APY', topByLast),
    ruleOf('top-10 last APY, held', topByLast, Infinity),
    ruleOf('top-10 mean APY', topByMean),
    ruleOf('top-10 mean APY, held', topByMean, Infinity),
    ruleOf('top-10 by stake, held', largestEqually, Infinity),
  ]
}

/** Each epoch, sells validators that rank below `sellBelow` by mean APY and buys the best ones not held. */
export const hysteresis = (window: number, sellBelow: number): Strategy => ({
  name: `patient: top-10 mean of ${window}, sold below rank ${sellBelow}`,
  every: 1,
  movesForFree: false,
  decide: (view, held) => {
    const ranked = best(view.universe, meanApy(view, window), view.universe.length)
    if (held.size === 0) return equally(ranked.slice(0, COUNT))
    const rankOf = new Map(ranked.map(({ validator }, rank) => [validator, rank]))
    const kept = [...held].filter(([id]) => (rankOf.get(id) ?? Infinity) < sellBelow)
    const freed = 1 - kept.reduce((sum, [, part]) => sum + part, 0)
    const places = held.size - kept.length
    if (places === 0) return held
    const isKept = new Set(kept.map(([id]) => id))
    const bought = ranked.filter(({ validator }) => !isKept.has(validator)).slice(0, places)
    return new Map([...kept, ...bought.map(({ validator }): [string, number] => [validator, freed / places])])
  },
})

/** Candidates: the report shows the one that earned most on the training epochs. */
export const hysteresisVariants = (): readonly Strategy[] =>
  [10, 30].flatMap((window) => [20, 50, 100, 200].map((rank) => hysteresis(window, rank)))

function meanApy({ past }: MarketView, epochs = MEAN_WINDOW): (row: HistoryRow) => number {
  const window = past.slice(-epochs)
  return ({ validator }) =>
    window.reduce((sum, { rows }) => sum + (rows.get(validator)?.apy ?? 0), 0) / window.length
}

/** The highest values first. Ties go by validator id, so that runs are reproducible. */
export function best(rows: readonly HistoryRow[], measure: (row: HistoryRow) => number, count: number) {
  return rows
    .map((row) => ({ row, value: measure(row) }))
    .toSorted((a, b) => b.value - a.value || (a.row.validator < b.row.validator ? -1 : 1))
    .slice(0, count)
    .map(({ row }) => row)
}

export const largestEqually = ({ universe }: MarketView): Portfolio =>
  equally(best(universe, ({ stake }) => Number(stake), COUNT))

export const equally = (rows: readonly HistoryRow[]): Portfolio =>
  new Map(rows.map(({ validator }) => [validator, 1 / rows.length]))

function byStake(rows: readonly HistoryRow[]): Portfolio {
  const total = rows.reduce((sum, { stake }) => sum + Number(stake), 0)
  return new Map(rows.map(({ validator, stake }) => [validator, Number(stake) / total]))
}
