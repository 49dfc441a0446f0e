/**
 * Refresh interval of the user's own data. These requests count against the user's quota, which an open console
 * must not use up.
 */
export const OWN_REFRESH_MS = 60_000
