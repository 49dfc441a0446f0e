import { formatExactTokens, OWN_SIGNS } from '../format.ts'
import { readTyped, type Signs, withSign } from './number.ts'

/** The chains count in 64 bits. */
export const MOST_UNITS = 2n ** 64n - 1n

export type TypedAmount =
  /** `isDoubtful`: readers of another locale would take it for another amount, so it is said how it was read. */
  | { readonly kind: 'amount'; readonly amount: bigint; readonly isDoubtful: boolean }
  | { readonly kind: 'problem'; readonly text: string }

/** Text that a person typed, in tokens, as smallest units: exact, and as the reader's locale writes numbers. */
export function readTokens(text: string, decimals: number, signs: Signs = OWN_SIGNS): TypedAmount {
  const typed = readTyped(text, signs)
  if (typed.kind === 'unread') return { kind: 'problem', text: unreadText(typed.perhaps, decimals, signs) }
  const { whole, rest } = typed.number
  if (rest.length > decimals) return { kind: 'problem', text: unreadText([], decimals, signs) }
  const amount = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(rest.padEnd(decimals, '0') || '0')
  return { kind: 'amount', amount, isDoubtful: typed.isDoubtful }
}

const unreadText = (perhaps: readonly string[], decimals: number, signs: Signs): string =>
  perhaps.length === 0
    ? `Write an amount such as ${withSign('2500', '5', signs)}, with at most ${decimals} decimals.`
    : `Write ${perhaps.join(' or ')}: “${signs.decimal}” is the decimal sign here.`

/** How an amount was read that others would read otherwise. */
export const readAsText = (amount: bigint, decimals: number, symbol: string): string =>
  `Read as ${formatExactTokens(amount, decimals)} ${symbol}: “${OWN_SIGNS.decimal}” is the decimal sign here.`

/** Smallest units as plain text that `readTokens` reads. */
export function tokensAsInput(amount: bigint, decimals: number, signs: Signs = OWN_SIGNS): string {
  const unit = 10n ** BigInt(decimals)
  const rest = (amount % unit).toString().padStart(decimals, '0').replace(/0+$/, '')
  return withSign(String(amount / unit), rest, signs)
}

/** A number that is no money, such as a percentage; `undefined` when it is none. */
export function readNumber(text: string): number | undefined {
  const typed = readTyped(text.replace(/\s*%$/, ''), OWN_SIGNS)
  return typed.kind === 'number' ? Number(withSign(typed.number.whole, typed.number.rest, LATIN)) : undefined
}

const LATIN = { ...OWN_SIGNS, decimal: '.' }

/** A number as plain text that `readNumber` reads. */
export const numberAsInput = (value: number): string => String(value).replace('.', OWN_SIGNS.decimal)
