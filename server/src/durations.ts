export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/**
 * A clock may step back by this much, and what it has counted still holds. A window further ahead was counted by a
 * clock that was wrong and has been put right: it is forgotten, or its callers would be refused until it comes.
 */
export const CLOCK_STEP_MS = 300_000
