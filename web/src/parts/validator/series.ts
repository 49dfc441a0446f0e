import { memoize } from '../../data/memo.ts'
import type { HistoryPoint } from '../../data/queries.ts'
import { rewardsPerEpoch, type ValidatorEvent, validatorEvents } from '../../data/validator-events.ts'
import type { PlotEvent } from '../../plots/line-plot.ts'
import { formatCommission, toTokens } from '../format.ts'

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

/** Memoized for the same reason. */
export const eventsOf = memoize((data: readonly HistoryPoint[]) => validatorEvents(data, formatCommission))
export const marksOf = memoize((events: readonly ValidatorEvent[]): readonly PlotEvent[] =>
  events.map(({ epoch, ...event }) => ({ x: epoch, ...event })),
)
