/**
 * The values that rules of a policy choose from, and the fields that distinguish rules. Without schemas, for the web
 * app.
 */

/** A join moves nothing, so no amount of it counts. */
export const MOVING_ACTIONS = ['stake', 'unstake', 'withdraw'] as const
export const ACTIONS = [...MOVING_ACTIONS, 'join'] as const
export const WINDOWS = ['hour', 'day', 'epoch', '30days'] as const
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** A policy has each rule once, but `maxPerWindow` once for each window. */
export const ruleKey = ({ rule, window }: { readonly rule: string; readonly window?: string }): string =>
  window === undefined ? rule : `${rule} ${window}`
