import { formatExactTokens, OWN_SIGNS } from '../format.ts'
import { readTyped, type Signs, withoutMarks, withSign } from './number.ts'

/** The chains count in 64 bits. */
const MAX_UNITS = 2n ** 64n - 1n

type TypedAmount =
  | {
      readonly kind: 'amount'
      readonly amount: bigint
      /** Whether the text means another amount in another locale. */
      readonly isDoubtful: boolean
      /** Whether it was written with a scale word such as M. */
      readonly isScaled: boolean
    }
  | { readonly kind: 'problem'; readonly text: string }

/** The unit of an amount. */
export type Coin = { readonly decimals: number; readonly symbol: string }

/**
 * Parses typed or pasted text in tokens to smallest units: exactly, by the number signs of the user's locale, with or
 * without the name of the coin and a scale word such as k or M. Every field for an amount uses it.
 */
export function readTokens(text: string, coin: Coin, signs: Signs = OWN_SIGNS): TypedAmount {
  const bare = withoutSymbol(withoutMarks(text), coin.symbol)
  const [word, factor] = findScale(bare, signs) ?? ['', 1n]
  const typed = readTyped(bare.slice(0, bare.length - word.length), signs)
  if (typed.kind === 'unread') return problem(unreadText(bare, word, typed.perhaps, coin, signs))
  const { whole, rest } = typed.number
  const scaled = BigInt(whole + rest) * factor * 10n ** BigInt(coin.decimals)
  const unit = 10n ** BigInt(rest.length)
  if (scaled % unit !== 0n) return problem(exampleText(coin, signs))
  const amount = scaled / unit
  if (amount > MAX_UNITS) return problem(tooMuchText(coin))
  return { kind: 'amount', amount, isDoubtful: typed.isDoubtful, isScaled: word !== '' }
}

/** The scale word at the end; a text that ends with a digit has none. */
const findScale = (text: string, signs: Signs) =>
  /\p{Nd}$/u.test(text) ? undefined : signs.scales.find(([word]) => text.endsWith(word))

const problem = (text: string): TypedAmount => ({ kind: 'problem', text })

/** Removes the name of the coin before or after the number. */
function withoutSymbol(text: string, symbol: string): string {
  const [upper, name] = [text.toUpperCase(), symbol.toUpperCase()]
  if (name !== '' && upper.endsWith(name)) return text.slice(0, -name.length).trim()
  return name !== '' && upper.startsWith(name) ? text.slice(name.length).trim() : text
}

const exampleText = ({ decimals }: Coin, signs: Signs): string =>
  `Write an amount such as ${withSign('2500', '5', signs)} or 10M, with at most ${decimals} decimals.`

const tooMuchText = ({ decimals, symbol }: Coin): string =>
  `That is more than the chain can count. Write at most ${formatExactTokens(MAX_UNITS, decimals)} ${symbol}.`

/** A word right before or after a number. */
const WORD = /^(\p{L}+|\p{Sc})\s*[\d]|\d\s*(\p{L}+\.?|\p{Sc})$/u

function unreadText(
  bare: string,
  word: string,
  perhaps: readonly string[],
  coin: Coin,
  signs: Signs,
): string {
  if (perhaps.length > 0)
    return `Write ${perhaps.map((one) => one + word).join(' or ')}: “${signs.decimal}” is the decimal sign here.`
  const [, before, after] = WORD.exec(bare) ?? []
  const unknownWord = word === '' ? (before ?? after) : undefined
  return unknownWord === undefined
    ? exampleText(coin, signs)
    : `“${unknownWord}” is not understood here: write ${coin.symbol}, such as ${withSign('2500', '5', signs)} or 10M.`
}

/** Says how an amount was read, if it is ambiguous or has a scale word. */
export function readAsText(typed: TypedAmount, { decimals, symbol }: Coin): string | undefined {
  if (typed.kind === 'problem' || !(typed.isDoubtful || typed.isScaled)) return undefined
  const read = `Read as ${formatExactTokens(typed.amount, decimals)} ${symbol}`
  return typed.isDoubtful ? `${read}: “${OWN_SIGNS.decimal}” is the decimal sign here.` : `${read}.`
}

/** Smallest units as plain text that `readTokens` reads. */
export function tokensAsInput(amount: bigint, decimals: number, signs: Signs = OWN_SIGNS): string {
  const unit = 10n ** BigInt(decimals)
  const rest = (amount % unit).toString().padStart(decimals, '0').replace(/0+$/, '')
  return withSign(String(amount / unit), rest, signs)
}

/** Parses a number that is no amount, such as a percentage; `undefined` if the text is no number. */
export function readNumber(text: string): number | undefined {
  const typed = readTyped(text.replace(/\s*%$/, ''), OWN_SIGNS)
  return typed.kind === 'number' ? Number(withSign(typed.number.whole, typed.number.rest, LATIN)) : undefined
}

const LATIN = { ...OWN_SIGNS, decimal: '.' }

/** A number as plain text that `readNumber` reads. */
export const numberAsInput = (value: number): string => String(value).replace('.', OWN_SIGNS.decimal)
