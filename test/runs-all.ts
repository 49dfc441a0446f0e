/**
 * Whether repeats run as well: guarantees that other tests already show, on another engine, version or screen. Only
 * `npm test -- --all` runs them, as CI does. Files that are chosen by words or started by hand always run whole.
 */
export const ALL_VARIABLE = 'TEST_ALL'

export const runsAll = (): boolean => process.env[ALL_VARIABLE] !== '0'

/** Variants of a case: those of every run, and those that are left to CI. */
export const variants = <T>(always: readonly T[], inCi: readonly T[]): readonly T[] =>
  runsAll() ? [...always, ...inCi] : always
