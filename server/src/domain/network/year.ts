import { YEAR_MS } from '../../durations.ts'

export const epochsPerYear = (epochDurationMs: number): number => YEAR_MS / epochDurationMs

/** Upper bound of all rates: keeps a rate finite that wrong chain data would make infinite. */
const HIGHEST_RATE = 1e9

/** The growth of a year as a fraction, from its logarithm. */
export const yearlyGrowth = (logarithm: number): number => Math.min(HIGHEST_RATE, Math.expm1(logarithm))

/** A yearly rate that is paid out and compounds every epoch, as a fraction: 0.08 a year, daily, becomes 0.0833. */
export const compoundYearly = (yearlyRate: number, epochs: number): number =>
  yearlyGrowth(epochs * Math.log1p(yearlyRate / epochs))
