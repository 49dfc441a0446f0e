/** `shares` of a pool are worth `tokens`. A pool without either is flat: one share is one token. */
export type Rate = { readonly tokens: bigint; readonly shares: bigint }

export const FLAT: Rate = { tokens: 1n, shares: 1n }

/** The contracts treat an empty pool as flat, so that nothing is ever divided by zero. */
export function toRate(tokens: bigint, shares: bigint): Rate {
  return tokens === 0n || shares === 0n ? FLAT : { tokens, shares }
}

/** Like every division of the contracts, both truncate. */
export const toShares = (rate: Rate, tokens: bigint): bigint => (tokens * rate.shares) / rate.tokens
export const toTokens = (rate: Rate, shares: bigint): bigint => (shares * rate.tokens) / rate.shares

/** What a stake earned between two rates of its pool. Rounding can lose a unit; it never turns into a debt. */
export function rewardsBetween(principal: bigint, activated: Rate, until: Rate): bigint {
  const worth = toTokens(until, toShares(activated, principal))
  return worth > principal ? worth - principal : 0n
}

/** Truncated shares lift a rate by about 1e-17 when stake arrives; an epoch's rewards by far more than this. */
const LEAST_GROWTH = 1_000_000_000_000n

/** Whether rewards were paid: growth that rounding could have made is none. */
export function rateGrew(before: Rate, after: Rate): boolean {
  const worth = before.tokens * after.shares
  return (after.tokens * before.shares - worth) * LEAST_GROWTH > worth
}
