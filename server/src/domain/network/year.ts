import { YEAR_MS } from '../../durations.ts'

export const epochsPerYear = (epochDurationMs: number): number => YEAR_MS / epochDurationMs

/** A yearly rate that is paid out and compounds every epoch, as a fraction: 0.08 a year, daily, becomes 0.0833. */
export const compoundYearly = (yearlyRate: number, epochs: number): number =>
  Math.expm1(epochs * Math.log1p(yearlyRate / epochs))
