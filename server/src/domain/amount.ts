/** Whole numbers of a token's smallest unit: text outside, `bigint` inside, never a float. */
export const MAX_AMOUNT = 2n ** 64n - 1n

/** Stricter than `BigInt(text)`, which takes `''`, `' 5'`, `0x10` and thirty digits. */
const AMOUNT = /^(?:0|[1-9][0-9]{0,19})$/

/** The amount that a text stands for; undefined when it is not the one way of writing one. */
export function parseAmount(text: string): bigint | undefined {
  if (!AMOUNT.test(text)) return undefined
  const amount = BigInt(text)
  return amount <= MAX_AMOUNT ? amount : undefined
}

/** For people: `1500000000` with 9 decimals and `IKA` is `1.5 IKA`. */
export function printAmount(amount: bigint, decimals: number, symbol: string): string {
  const one = 10n ** BigInt(decimals)
  const rest = (amount % one).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${amount / one}${rest === '' ? '' : `.${rest}`} ${symbol}`
}
