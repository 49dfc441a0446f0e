/** `shares` of a pool are worth `tokens`. A pool without either is flat: one share is one token. */
export type Rate = { readonly tokens: bigint; readonly shares: bigint }

export const FLAT: Rate = { tokens: 1n, shares: 1n }

/** The contracts treat an empty pool as flat, which avoids a division by zero. */
export function toRate(tokens: bigint, shares: bigint): Rate {
  return tokens === 0n || shares === 0n ? FLAT : { tokens, shares }
}

/** Both truncate, like all divisions of the contracts. */
export const toShares = (rate: Rate, tokens: bigint): bigint => (tokens * rate.shares) / rate.tokens
export const toTokens = (rate: Rate, shares: bigint): bigint => (shares * rate.tokens) / rate.shares

/** Rewards of a stake between two rates of its pool. Never negative, although rounding can lose a unit. */
export function rewardsBetween(principal: bigint, activated: Rate, until: Rate): bigint {
  const worth = toTokens(until, toShares(activated, principal))
  return worth > principal ? worth - principal : 0n
}

/** Threshold 1e-12: rounding raises a rate by about 1e-17 when stake is added, an epoch's rewards by far more. */
const LEAST_GROWTH = 1_000_000_000_000n

/** Whether rewards were paid: growth within the rounding error does not count. */
export function rateGrew(before: Rate, after: Rate): boolean {
  const worth = before.tokens * after.shares
  return (after.tokens * before.shares - worth) * LEAST_GROWTH > worth
}
