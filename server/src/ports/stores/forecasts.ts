import type { NetworkName } from '../chain/staking-chain.ts'

/** A projection for one validator. All APYs in percent. */
export type Forecast = {
  readonly validatorId: string
  readonly apy: number
  /** Baselines for comparison: the APY of the newest completed epoch, and the mean of the last thirty. */
  readonly last: number | undefined
  readonly mean: number | undefined
}

/** The range of a projection for one horizon, relative to the projection. */
export type ForecastRange = { readonly epochs: number; readonly low: number; readonly high: number }

/** The projections of one epoch, as first published. */
export type ForecastSet = {
  readonly network: NetworkName
  /** Version of the projecting code. */
  readonly engineVersion: string
  readonly epoch: number
  readonly madeAt: number
  readonly ranges: readonly ForecastRange[]
  readonly forecasts: readonly Forecast[]
}

/** Recorded projections, to be compared with what was paid. */
export type Forecasts = {
  /** Keeps the first set of an epoch. Drops sets of epochs before `keepFromEpoch`. */
  add(set: ForecastSet, keepFromEpoch: number): Promise<void>
  /** Ascending by epoch. */
  since(network: NetworkName, fromEpoch: number): Promise<readonly ForecastSet[]>
}
