/** The number signs of a locale. What its users type is parsed by these signs only. */
export type Signs = {
  readonly decimal: string
  readonly group: string
  /** Whether it groups by two digits above the thousands: 12,34,567. */
  readonly hasPairs: boolean
  /** Its scale words, such as K and M, with their factors; the longest first. */
  readonly scales: readonly Scale[]
}
type Scale = readonly [word: string, factor: bigint]

/** The pages are in English: their numbers have Latin digits, and the separators of the user's locale. */
export const PAGE_DIGITS = { numberingSystem: 'latn' } as const

export function signsOf(locales: readonly string[]): Signs {
  const format = new Intl.NumberFormat([...locales], { ...PAGE_DIGITS, minimumFractionDigits: 1 })
  const parts = format.formatToParts(1_234_567.5)
  const sign = (wanted: string) => parts.find(({ type }) => type === wanted)?.value
  let scales: readonly Scale[] | undefined
  return {
    decimal: sign('decimal') ?? '.',
    group: sign('group') ?? '',
    hasPairs: parts.filter(({ type }) => type === 'integer')[1]?.value.length === 2,
    /** Computed when an amount is first read, because the browser loads the data of compact notation for it. */
    get scales() {
      scales ??= scalesOf(locales)
      return scales
    },
  }
}

/** Scale words for every locale; a locale may add words, or give these another meaning. */
const EVERYWHERE: readonly Scale[] = [
  ['k', 1_000n],
  ['K', 1_000n],
  ['M', 1_000_000n],
]
/** The suffixes that pages write if the locale has no such words in Latin script. */
const INSTEAD: readonly Scale[] = [
  ['B', 1_000_000_000n],
  ['T', 1_000_000_000_000n],
]
const LARGEST_POWER = 14

function scalesOf(locales: readonly string[]): readonly Scale[] {
  const format = new Intl.NumberFormat([...locales], {
    notation: 'compact',
    ...PAGE_DIGITS,
    useGrouping: false,
  })
  const own = new Map<string, bigint>()
  for (let power = 3; power <= LARGEST_POWER; power += 1) {
    const parts = format.formatToParts(10 ** power)
    const count = parts.find(({ type }) => type === 'integer')?.value ?? ''
    const word = withoutMarks(parts.find(({ type }) => type === 'compact')?.value ?? '')
    if (word === '' || !/^\d+$/.test(count)) continue
    // With and without the point of an abbreviation; the first meaning of a word wins.
    for (const form of [word, word.replace(/\.$/, '')])
      if (!own.has(form)) own.set(form, 10n ** BigInt(power) / BigInt(count))
  }
  const isLatin = [...own.keys()].some(hasLatin)
  return [...new Map([...EVERYWHERE, ...(isLatin ? [] : INSTEAD), ...own])].toSorted(
    ([a], [b]) => b.length - a.length,
  )
}

/** Whether a word is in the script of the pages, which are in English. */
export const hasLatin = (word: string): boolean => /\p{Script=Latin}/u.test(word)

/** Removes zero-width characters, such as direction marks, and normalizes the others. */
export const withoutMarks = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u061c\u200b-\u200f\u2060\u2066-\u2069]/g, '')
    .trim()

type Decimal = { readonly whole: string; readonly rest: string }
type Typed =
  | {
      readonly kind: 'number'
      readonly number: Decimal
      /** Whether the text means another number in another locale, as 1,500 does. */
      readonly isDoubtful: boolean
    }
  /** No number in this locale. `perhaps` has its readings in other locales, in the spelling of this one. */
  | { readonly kind: 'unread'; readonly perhaps: readonly string[] }

/** Parses typed text as a number without a unit. */
export function readTyped(text: string, signs: Signs): Typed {
  const plain = inLatinDigits(text, signs).replaceAll(/\s/g, ' ').replaceAll('’', "'").trim()
  const number = readBy(plain, signs)
  const others = ELSEWHERE.map((other) => readBy(plain, { ...other, hasPairs: false }))
  const different = others.filter((one) => one !== undefined).filter((one) => !isSame(one, number))
  if (number) return { kind: 'number', number, isDoubtful: different.length > 0 }
  const perhaps = different.map(({ whole, rest }) => withSign(whole, rest, signs))
  return { kind: 'unread', perhaps: [...new Set(perhaps)] }
}

const ELSEWHERE = [
  { decimal: '.', group: ',' },
  { decimal: ',', group: '.' },
] as const

/**
 * Spaces, apostrophes and underscores are group separators in every locale, besides its own: every three digits, or
 * as the locale groups. A number uses only one of them. Elsewhere, as in “1 5”, they may be a typing error for the
 * decimal sign or separate two numbers.
 */
function readBy(plain: string, { decimal, group, hasPairs }: Omit<Signs, 'scales'>): Decimal | undefined {
  const [whole = '', rest, ...more] = plain.split(decimal)
  if (more.length > 0 || (rest !== undefined && !/^\d{1,40}$/.test(rest))) return undefined
  const upper = hasPairs ? '\\d{2,3}' : '\\d{3}'
  const sign = group === '' ? "[ '_]" : `[ '_]|${escaped(group)}`
  const grouped = new RegExp(`^[1-9]\\d{0,2}(${sign})(?:${upper}\\1)*\\d{3}$`)
  const bare = grouped.test(whole) ? whole.replaceAll(/\D/g, '') : whole
  return /^\d{1,40}$/.test(bare) ? { whole: bare, rest: rest ?? '' } : undefined
}

const escaped = (sign: string): string => sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const isSame = (one: Decimal, other: Decimal | undefined): boolean =>
  BigInt(one.whole) === BigInt(other?.whole ?? '0') &&
  one.rest.replace(/0+$/, '') === other?.rest.replace(/0+$/, '')

/** Digits of any script, and the separators that are only used with Arabic ones. */
const inLatinDigits = (text: string, { decimal, group }: Signs): string =>
  text
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)))
    .replaceAll('٫', decimal)
    .replaceAll('٬', group)

/** Unicode has the digits of a script one after the other, from 0 to 9. */
function digitValue(code: number): number {
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return (code - first) % 10
}

/** A number as `readTyped` reads it again, without groups. */
export const withSign = (whole: string, rest: string, { decimal }: Signs): string =>
  rest === '' ? whole : `${whole}${decimal}${rest}`
