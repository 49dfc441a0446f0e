/**
 * A retry budget: every first try adds a fraction of a retry, so that when everything fails the load grows by that
 * fraction only.
 */
export type RetryBudget = { deposit(): void; spend(): boolean }

export function makeRetryBudget(share: number, reserve: number): RetryBudget {
  let tokens = reserve
  return {
    deposit() {
      tokens = Math.min(reserve, tokens + share)
    },
    spend() {
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
