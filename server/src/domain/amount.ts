import { MAX_U64 } from '../basics/u64.ts'

/** The largest amount. Amounts count smallest units: strings at the edge, `bigint` inside, never a float. */
export const MAX_AMOUNT = MAX_U64

/** Formats an amount for people: `1500000000` with 9 decimals and `IKA` is `1.5 IKA`. */
export function printAmount(amount: bigint, decimals: number, symbol: string): string {
  const one = 10n ** BigInt(decimals)
  const rest = (amount % one).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${amount / one}${rest === '' ? '' : `.${rest}`} ${symbol}`
}

/** `Math.min` takes no `bigint`. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** `Math.max` takes no `bigint`, either. */
export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
