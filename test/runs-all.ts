/**
 * Whether repeats are run as well: what other tests show once already, on another engine, version or screen. `npm test`
 * leaves them to `npm test -- --all`, which is what CI runs. Files that are chosen by words or run by hand run whole.
 */
export const ALL_VARIABLE = 'TEST_ALL'

export const runsAll = (): boolean => process.env[ALL_VARIABLE] !== '0'

/** Variants of a case: those of every run, and those that are left to CI. */
export const variants = <T>(always: readonly T[], inCi: readonly T[]): readonly T[] =>
  runsAll() ? [...always, ...inCi] : always
