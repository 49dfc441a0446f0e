import { memoize } from '../../data/memo.ts'
import type { HistoryPoint } from '../../data/queries.ts'
import { rewardsPerEpoch, type ValidatorEvent } from '../../data/validator-events.ts'
import type { PlotEvent } from '../../plots/line-plot.ts'
import { toTokens } from '../format.ts'

/** The plotted values of a validator per epoch. */
export type Series = {
  readonly epochs: readonly number[]
  readonly apy: readonly number[]
  readonly stake: readonly number[]
  readonly commission: readonly number[]
  readonly rewards: readonly (number | null)[]
}

/** Memoized: an unchanged answer gives the same arrays, so that plots are not redrawn. */
export const toSeries = memoize(
  ({ data, decimals }: { readonly data: readonly HistoryPoint[]; readonly decimals: number }): Series => ({
    epochs: data.map(({ epoch }) => epoch),
    apy: data.map(({ apy }) => apy),
    stake: data.map(({ totalStake }) => toTokens(BigInt(totalStake), decimals)),
    commission: data.map(({ commissionRate }) => commissionRate * 100),
    rewards: rewardsPerEpoch(data).map((amount) => (amount === null ? null : toTokens(amount, decimals))),
  }),
)
/** One object per answer and decimals: `toSeries` is memoized by it. */
export const withDecimals = memoize((data: readonly HistoryPoint[]) => {
  const known = new Map<number, { readonly data: readonly HistoryPoint[]; readonly decimals: number }>()
  return (decimals: number) => {
    const entry = known.get(decimals) ?? { data, decimals }
    known.set(decimals, entry)
    return entry
  }
})

const marksByText = new Map<string, readonly PlotEvent[]>()
/** Equal events keep their identity, so that plots are not redrawn. */
export function marksOf(events: readonly ValidatorEvent[]): readonly PlotEvent[] {
  const key = JSON.stringify(events)
  const known = marksByText.get(key) ?? events.map(({ epoch, ...event }) => ({ x: epoch, ...event }))
  marksByText.set(key, known)
  return known
}
