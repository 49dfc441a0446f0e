/** Retries are paid from what first tries put in: when everything fails, the load grows by the share and no more. */
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
