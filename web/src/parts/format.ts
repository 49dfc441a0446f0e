/** Numbers and times in the reader's locale. No page formats a number itself. */
import { hasLatin, PAGE_DIGITS, signsOf, withSign } from './typed/number.ts'

const locales = [...navigator.languages]
/** The number signs of the user's locale. */
export const OWN_SIGNS = signsOf(locales)
type NumberFormat = { format(value: number | bigint): string }
const cache = new Map<string, NumberFormat>()

function numberFormat(options: Intl.NumberFormatOptions): NumberFormat {
  const key = JSON.stringify(options)
  const format = cache.get(key) ?? newFormat(options)
  cache.set(key, format)
  return format
}

/** A value that rounds to zero has no sign; a negative number has a minus, not a hyphen. */
function newFormat(options: Intl.NumberFormatOptions): NumberFormat {
  const all = { ...PAGE_DIGITS, signDisplay: 'negative', ...options } as const
  const own = new Intl.NumberFormat(locales, all)
  if (options.notation !== 'compact' || hasLatinWords(own))
    return { format: (value) => own.format(value).replace('-', MINUS) }
  const english = new Intl.NumberFormat('en', all)
  return { format: (value) => withOwnSigns(english.formatToParts(value)).replace('-', MINUS) }
}

const hasLatinWords = (compact: Intl.NumberFormat): boolean =>
  compact.formatToParts(1e9).some(({ type, value }) => type === 'compact' && hasLatin(value))

const withOwnSigns = (parts: readonly Intl.NumberFormatPart[]): string =>
  parts
    .map(({ type, value }) =>
      type === 'decimal' ? OWN_SIGNS.decimal : type === 'group' ? OWN_SIGNS.group : value,
    )
    .join('')

const MINUS = '−'

export const formatCount = (value: number): string => numberFormat({ maximumFractionDigits: 0 }).format(value)

/** `value` in percent: 8.2 means 8.2%. */
export const formatPercent = (value: number, decimals = 2): string =>
  numberFormat({ style: 'percent', minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
    value / 100,
  )

/** `value` as a fraction: 0.05 means 5%. */
export const formatShare = (value: number, decimals = 2): string => formatPercent(value * 100, decimals)

/** A commission, to the hundredth of a percent that it can be set to. */
export const formatCommission = (value: number): string =>
  numberFormat({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 2 }).format(value)

/** Rewrites percentages and amounts in a sentence of the service by the user's locale. */
export const localNumbers = (text: string): string =>
  text
    .replaceAll(/(?<![\w.])\d+(?:\.(\d+))?%/g, (percent, decimals: string | undefined) =>
      formatPercent(Number.parseFloat(percent), decimals?.length ?? 0),
    )
    .replaceAll(
      /(?<![\w.])(\d+)(?:\.(\d+))?(?= [A-Z]{2,6}\b)/g,
      (_, whole: string, rest: string | undefined) =>
        withSign(numberFormat({ maximumFractionDigits: 0 }).format(BigInt(whole)), rest ?? '', OWN_SIGNS),
    )

/** A signed difference as a fraction: 0.05 means +5%. */
export const formatSignedShare = (value: number, decimals: number): string =>
  numberFormat({
    style: 'percent',
    signDisplay: 'exceptZero',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value)

/** A number of a rule, with all its decimals. */
export const formatExactNumber = (value: number): string =>
  numberFormat({ maximumFractionDigits: MAX_DECIMALS }).format(value)

/** The same as a fraction: 0.33333 means 33.333%. */
export const formatExactShare = (value: number): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: MAX_DECIMALS }).format(value)
/** Few enough to hide the rounding errors of binary fractions. */
const MAX_DECIMALS = 12

/** A difference of percentages, with its sign. */
export const formatPoints = (value: number, decimals = 2): string =>
  `${numberFormat({ signDisplay: 'exceptZero', minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)} pts`

/** The difference of two percentages as they are shown: readers subtract what they see. */
export const formatPointsBetween = (from: number, to: number, decimals = 2): string =>
  formatPoints(Number(to.toFixed(decimals)) - Number(from.toFixed(decimals)), decimals)

export const formatDecimal = (value: number, decimals: number): string =>
  numberFormat({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)

export function formatUsd(value: number): string {
  const size = Math.abs(value)
  const digits =
    size >= 1000
      ? { maximumFractionDigits: 0 }
      : size < 1
        ? { maximumSignificantDigits: 4 }
        : { maximumFractionDigits: 2 }
  const large: Intl.NumberFormatOptions =
    Math.abs(value) >= 1e6 ? { notation: 'compact', maximumSignificantDigits: 4 } : digits
  return numberFormat({ style: 'currency', currency: 'USD', ...large }).format(value)
}

/** Smallest units as tokens, short: four significant decimals at most, millions and billions abbreviated. */
export function formatTokens(amount: bigint, decimals: number): string {
  const tokens = toTokens(amount, decimals)
  if (Math.abs(tokens) >= 1e6)
    return numberFormat({
      notation: 'compact',
      minimumSignificantDigits: 4,
      maximumSignificantDigits: 4,
    }).format(tokens)
  if (Math.abs(tokens) >= 1)
    return numberFormat({
      maximumFractionDigits: Math.abs(tokens) >= 1000 ? 0 : Math.abs(tokens) >= 100 ? 2 : 4,
    }).format(tokens)
  return numberFormat({ maximumSignificantDigits: 4, maximumFractionDigits: decimals }).format(tokens)
}

/** Smallest units, to the last one. */
export const formatUnits = (amount: bigint): string =>
  numberFormat({ maximumFractionDigits: 0 }).format(amount)

/** For axes: tokens in the shortest form. */
export const formatTokenTick = (tokens: number): string =>
  numberFormat({ notation: 'compact', maximumSignificantDigits: 3 }).format(tokens)

/** Smallest units as tokens, to the last unit. */
export function formatExactTokens(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const sign = amount < 0n ? MINUS : ''
  const size = amount < 0n ? -amount : amount
  const whole = numberFormat({ maximumFractionDigits: 0 }).format(size / unit)
  const rest = (size % unit).toString().padStart(decimals, '0').replace(/0+$/, '')
  return `${sign}${withSign(whole, rest, OWN_SIGNS)}`
}

/** For drawing only: amounts themselves stay `bigint`. */
export const toTokens = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals

const STEPS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
]

/** A span of time in its two largest units: `4 min 12 s`. */
export function formatSpan(ms: number): string {
  const first = STEPS.findIndex(([size]) => ms >= size)
  if (first === -1) return '0 s'
  let left = ms
  const parts: string[] = []
  for (const [size, unit] of STEPS.slice(first, first + 2)) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.join(' ')
}

export function formatAgo(ms: number): string {
  if (ms < 1_000) return 'now'
  const step = STEPS.find(([size]) => ms >= size) ?? [1_000, 's']
  return `${Math.floor(ms / step[0])} ${step[1]} ago`
}

const dateTime = new Intl.DateTimeFormat(locales, {
  ...PAGE_DIGITS,
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const date = new Intl.DateTimeFormat(locales, { ...PAGE_DIGITS, month: 'short', day: 'numeric' })
const time = new Intl.DateTimeFormat(locales, { ...PAGE_DIGITS, timeStyle: 'medium' })
export const formatDateTime = (at: number): string => dateTime.format(at)
const utc = new Intl.DateTimeFormat(locales, {
  ...PAGE_DIGITS,
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})
/** A moment of a rule in UTC, which is the same for everybody; with the local time if that differs. */
export function formatUtc(at: number): string {
  const [there, here] = [utc.format(at), dateTime.format(at)]
  return there === here ? `${there} UTC` : `${there} UTC (here: ${here})`
}
export const formatDate = (at: number): string => date.format(at)
const utcDate = new Intl.DateTimeFormat(locales, {
  ...PAGE_DIGITS,
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
/** A day of UTC by its beginning, as daily counts have it: in the user's zone it may be the day before. */
export const formatUtcDate = (at: number): string => utcDate.format(at)
const day = new Intl.DateTimeFormat(locales, { ...PAGE_DIGITS, dateStyle: 'medium', timeZone: 'UTC' })
/** A day of UTC, written as 2026-11-17. */
export const formatDay = (text: string): string => day.format(Date.parse(text))
export const formatTime = (at: number): string => time.format(at)

export const shortId = (id: string): string => (id.length <= 14 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`)
/** An owner is a mail address, which stays whole, or the address of a wallet. */
export const shortOwner = (owner: string): string => (owner.startsWith('0x') ? shortId(owner) : owner)
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
