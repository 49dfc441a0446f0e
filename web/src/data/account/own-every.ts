/**
 * How often what belongs to the user is asked for again. These requests count for the user's own limits: a console that
 * is left open must not use up the day.
 */
export const OWN_EVERY_MS = 60_000
