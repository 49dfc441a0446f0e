import { formatExactTokens, OWN_SIGNS } from '../format.ts'
import { readTyped, type Signs, withoutMarks, withSign } from './number.ts'

/** The chains count in 64 bits. */
const MAX_UNITS = 2n ** 64n - 1n

type TypedAmount =
  | { readonly kind: 'amount'; readonly amount: bigint }
  /**
   * The text means another amount in another locale, or has a scale word such as M. A kind of its own, so that nobody
   * takes the amount without the note for the user.
   */
  | { readonly kind: 'noted'; readonly readAs: bigint; readonly note: string }
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
  if (!typed.isDoubtful && word === '') return { kind: 'amount', amount }
  const read = `Read as ${formatExactTokens(amount, coin.decimals)} ${coin.symbol}`
  const note = typed.isDoubtful ? `${read}: ${signText(signs)}` : `${read}.`
  return { kind: 'noted', readAs: amount, note }
}

const signText = ({ decimal }: Signs): string => `“${decimal}” is the decimal sign here.`

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
  const readable = perhaps
    .map((one) => one + word)
    .filter((one) => readTokens(one, coin, signs).kind !== 'problem')
  if (readable.length > 0) return `Write ${readable.join(' or ')}: ${signText(signs)}`
  const [, before, after] = WORD.exec(bare) ?? []
  const unknownWord = word === '' ? (before ?? after) : undefined
  return unknownWord === undefined
    ? exampleText(coin, signs)
    : `“${unknownWord}” is not understood here: write ${coin.symbol}, such as ${withSign('2500', '5', signs)} or 10M.`
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

/** Parses a whole number; one with a decimal sign, such as 1.000, may mean a thousand elsewhere and is none. */
export function readCount(text: string): number | undefined {
  const typed = readTyped(text, OWN_SIGNS)
  return typed.kind === 'number' && typed.number.rest === '' ? Number(typed.number.whole) : undefined
}

/** A number as plain text that `readNumber` reads. */
export const numberAsInput = (value: number): string => String(value).replace('.', OWN_SIGNS.decimal)
