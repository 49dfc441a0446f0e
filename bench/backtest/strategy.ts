import type { MarketView } from './market-view.ts'
import type { HistoryEpoch } from './read-history.ts'

/** Which part of the stake lies with which validator. */
export type Portfolio = ReadonlyMap<string, number>

export type Strategy = {
  readonly name: string
  /** How often it decides, in epochs. */
  readonly every: number
  /** An index or an oracle pays nothing for moving. */
  readonly movesForFree: boolean
  /** `coming` is the future: only the oracle looks. */
  readonly decide: (view: MarketView, held: Portfolio, coming: HistoryEpoch) => Portfolio
}
