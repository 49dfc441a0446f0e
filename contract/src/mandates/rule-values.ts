/** The values that rules of a policy choose from: plain data, so that the web app needs no schemas for them. */

/** A join moves nothing, so no amount of it counts. */
export const MOVING_ACTIONS = ['stake', 'unstake', 'withdraw'] as const
export const ACTIONS = [...MOVING_ACTIONS, 'join'] as const
export const WINDOWS = ['hour', 'day', 'epoch', '30days'] as const
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
