import type { MarketView } from './market-view.ts'
import type { HistoryEpoch } from './read-history.ts'

/** The share of the stake by validator. */
export type Portfolio = ReadonlyMap<string, number>

export type Strategy = {
  readonly name: string
  /** How often it decides, in epochs. */
  readonly every: number
  /** An index or an oracle pays nothing for moving. */
  readonly movesForFree: boolean
  /** `coming` is the epoch that will be paid: only oracles and rules with foresight may read it. */
  readonly decide: (view: MarketView, held: Portfolio, coming: HistoryEpoch) => Portfolio
}
