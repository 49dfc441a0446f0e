import type { NetworkName } from '../chain/staking-chain.ts'

/** What was projected for one validator. All APYs in percent. */
export type Forecast = {
  readonly validatorId: string
  readonly apy: number
  /** What the newest completed epoch paid, and the mean of the last thirty: what a plain guess would have been. */
  readonly last: number | undefined
  readonly mean: number | undefined
}

/** The range of a projection by the horizon it is for, as parts of the projection. */
export type ForecastRange = { readonly epochs: number; readonly low: number; readonly high: number }

/** The projections of one epoch, as they left the service first. */
export type ForecastSet = {
  readonly network: NetworkName
  /** Of the code that projects. */
  readonly engineVersion: string
  readonly epoch: number
  readonly madeAt: number
  readonly ranges: readonly ForecastRange[]
  readonly forecasts: readonly Forecast[]
}

/** Projections on record, to be held against what was paid. */
export type Forecasts = {
  /** The first set of an epoch stays as it is. Sets of epochs before `keepFromEpoch` are dropped. */
  add(set: ForecastSet, keepFromEpoch: number): Promise<void>
  /** Ascending by epoch. */
  since(network: NetworkName, fromEpoch: number): Promise<readonly ForecastSet[]>
}
