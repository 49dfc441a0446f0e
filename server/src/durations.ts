export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** The UTC day of a moment, counted from 1970. */
export const dayOf = (moment: number): number => Math.floor(moment / DAY_MS)

/** UTC days that the profile of an agent covers, today included; its counts are kept at least as long. */
export const PROFILE_DAYS = 30
/** 365 days: the year of every yearly rate. */
export const YEAR_MS = 365 * DAY_MS

/**
 * Tolerance for a clock that steps back: windows up to this far ahead stay in force. A window further ahead was counted
 * while the clock was wrong and is dropped, because its callers would otherwise be refused until its time.
 */
export const CLOCK_STEP_MS = 300_000
