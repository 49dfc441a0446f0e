/** Exchange rate: `shares` of a pool are worth `tokens`. All divisions truncate, as in the contract. */
export type Rate = { readonly tokens: bigint; readonly shares: bigint }

/** One to one: a pool without tokens or shares, or before its first recorded rate. */
export const FLAT: Rate = { tokens: 1n, shares: 1n }

export function rateOf(tokens: bigint, shares: bigint): Rate {
  return tokens === 0n || shares === 0n ? FLAT : { tokens, shares }
}

export const toShares = (rate: Rate, tokens: bigint): bigint => (tokens * rate.shares) / rate.tokens
export const toTokens = (rate: Rate, shares: bigint): bigint => (shares * rate.tokens) / rate.shares
