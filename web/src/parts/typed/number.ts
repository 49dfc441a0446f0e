/** How a locale writes numbers: what its readers type is read by these signs, and in no other way. */
export type Signs = {
  readonly decimal: string
  readonly group: string
  /** Whether it groups by two digits above the thousands: 12,34,567. */
  readonly hasPairs: boolean
  /** Its digits, from 0 to 9. */
  readonly digits: readonly string[]
}

export function signsOf(locales: readonly string[]): Signs {
  const format = new Intl.NumberFormat([...locales], { minimumFractionDigits: 1 })
  const parts = format.formatToParts(1_234_567.5)
  const sign = (wanted: string) => parts.find(({ type }) => type === wanted)?.value
  const plain = new Intl.NumberFormat([...locales], { useGrouping: false })
  return {
    decimal: sign('decimal') ?? '.',
    group: sign('group') ?? '',
    hasPairs: parts.filter(({ type }) => type === 'integer')[1]?.value.length === 2,
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
  }
}

export type Decimal = { readonly whole: string; readonly rest: string }
export type Typed =
  | {
      readonly kind: 'number'
      readonly number: Decimal
      /** Whether readers of another locale would take it for another number, as 1,500 is. */
      readonly isDoubtful: boolean
    }
  /** No number in this locale; in others it may be one or two, which are said as this locale writes them. */
  | { readonly kind: 'unread'; readonly perhaps: readonly string[] }

/** Text that a person typed, as a number with no unit. */
export function readTyped(text: string, signs: Signs): Typed {
  // Spaces and apostrophes can only group.
  const plain = inLatinDigits(text, signs).replaceAll(/[\s_'’]/g, '')
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

function readBy(plain: string, { decimal, group, hasPairs }: Omit<Signs, 'digits'>): Decimal | undefined {
  const [whole = '', rest, ...more] = plain.split(decimal)
  if (more.length > 0 || (rest !== undefined && !/^\d+$/.test(rest))) return undefined
  const upper = hasPairs ? '\\d{2,3}' : '\\d{3}'
  const grouped = new RegExp(`^[1-9]\\d{0,2}(${escaped(group)}${upper})*${escaped(group)}\\d{3}$`)
  const isGrouped = group !== '' && grouped.test(whole)
  const bare = isGrouped ? whole.replaceAll(group, '') : whole
  return /^\d{1,20}$/.test(bare) ? { whole: bare, rest: rest ?? '' } : undefined
}

const escaped = (sign: string): string => sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const isSame = (one: Decimal, other: Decimal | undefined): boolean =>
  BigInt(one.whole) === BigInt(other?.whole ?? '0') &&
  one.rest.replace(/0+$/, '') === other?.rest.replace(/0+$/, '')

const inLatinDigits = (text: string, { digits }: Signs): string =>
  [...text]
    .map((character) => {
      const digit = digits.indexOf(character)
      return digit < 0 ? character : String(digit)
    })
    .join('')

/** A number as `readTyped` reads it again, without groups. */
export const withSign = (whole: string, rest: string, { decimal }: Signs): string =>
  rest === '' ? whole : `${whole}${decimal}${rest}`
