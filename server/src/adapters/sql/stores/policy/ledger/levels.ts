import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../durations.ts'
import type { SumsRow } from './ledger-seal.ts'

/**
 * The table of sums has rows on four levels for each agent: one of all its reservations, and one of each day, hour and
 * minute that has any.
 */
export const [ALL, DAY, HOUR, MINUTE] = [0, 1, 2, 3] as const
export type Level = typeof ALL | typeof DAY | typeof HOUR | typeof MINUTE

const WIDTHS = { [DAY]: DAY_MS, [HOUR]: HOUR_MS, [MINUTE]: MINUTE_MS } as const

export const LEVELS = [ALL, DAY, HOUR, MINUTE] as const

/** Start of the period that contains the moment. */
export const beginOf = (level: Level, at: number): number =>
  level === ALL ? 0 : Math.floor(at / WIDTHS[level]) * WIDTHS[level]

export type Range = { readonly from: number; readonly to: number }

/** The day, hour or minute that contains the moment. */
export const rangeAt = (level: Exclude<Level, typeof ALL>, at: number): Range => {
  const from = beginOf(level, at)
  return { from, to: from + WIDTHS[level] }
}

export const keyOf = ({ level, begins }: Pick<SumsRow, 'level' | 'begins'>): string => `${level} ${begins}`
