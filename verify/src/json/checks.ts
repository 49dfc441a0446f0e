import { U64_MAX } from '../values.ts'

/** Throws unless the value has the type; `at` is its path. */
export type Check = (value: unknown, at: string) => void

export const anything: Check = () => {}

const valueThat =
  (what: string, isRight: (value: unknown) => boolean): Check =>
  (value, at) => {
    if (!isRight(value)) throw new Error(`${at} must be ${what}`)
  }

const textThat = (what: string, pattern: RegExp): Check =>
  valueThat(what, (value) => typeof value === 'string' && pattern.test(value))

const isWhole = (value: unknown, most: number): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most

/**
 * The canonical spelling only: `BigInt` also accepts an empty text or hex digits, which other parsers read
 * differently.
 */
const isU64Text = (value: unknown): boolean =>
  typeof value === 'string' && /^(0|[1-9][0-9]{0,19})$/.test(value) && BigInt(value) <= U64_MAX

export const text = textThat('a text', /^/)
export const flag = valueThat('true or false', (value) => typeof value === 'boolean')
export const only = (...ones: readonly unknown[]): Check =>
  valueThat(ones.map((one) => JSON.stringify(one)).join(' or '), (value) => ones.includes(value))
export const u16 = valueThat('a whole number of 16 bits', (value) => isWhole(value, 0xffff))
export const u32 = valueThat('a whole number of 32 bits', (value) => isWhole(value, 0xffff_ffff))
export const u64 = valueThat(
  'a whole number of 64 bits in decimal digits',
  (value) => isWhole(value, Number.MAX_SAFE_INTEGER) || isU64Text(value),
)
export const id = textThat('0x and 1 to 64 hex digits', /^0x[0-9a-f]{1,64}$/i)
export const digest = textThat('base58', /^[1-9A-HJ-NP-Za-km-z]{1,64}$/)
export const base64 = textThat(
  'plain base64',
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/,
)

export const orNull =
  (check: Check): Check =>
  (value, at) => {
    if (value !== null) check(value, at)
  }

/** Also accepts undefined, which the SDK writes for unknown values. */
export const optional =
  (check: Check): Check =>
  (value, at) => {
    if (value !== undefined) orNull(check)(value, at)
  }

export const list =
  (check: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) throw new Error(`${at} must be a list`)
    for (const [index, one] of value.entries()) check(one, `${at}[${index}]`)
  }

export const pair =
  (check: Check): Check =>
  (value, at) => {
    list(check)(value, at)
    if (!Array.isArray(value) || value.length !== 2) throw new Error(`${at} must be a list of two`)
  }

function toFields(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new Error(`${at} must be an object`)
}

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined

/** These fields and no others. */
export const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    const given = toFields(value, at)
    const unknown = Object.entries(given)
      .filter(isGiven)
      .find(([name]) => !Object.hasOwn(checks, name))
    if (unknown) throw new Error(`${at} has the unknown field ${unknown[0]}`)
    for (const [name, check] of Object.entries(checks)) check(given[name], `${at}.${name}`)
  }

/**
 * Exactly one of these variants: two parsers could pick different ones of an object with two. `beside` has further
 * fields of a variant.
 */
export const kinds =
  (
    checks: Readonly<Record<string, Check>>,
    beside: Readonly<Record<string, Readonly<Record<string, Check>>>> = {},
  ): Check =>
  (value, at) => {
    const names = Object.entries(toFields(value, at))
      .filter(isGiven)
      .map(([name]) => name)
    const [kind, ...others] = names.filter((name) => Object.hasOwn(checks, name))
    const check = kind === undefined ? undefined : checks[kind]
    if (kind === undefined || !check || others.length > 0)
      throw new Error(`${at} must have exactly one of ${Object.keys(checks).join(', ')}`)
    fields({ ...beside[kind], $kind: optional(only(kind)), [kind]: check })(value, at)
  }

export const eachField =
  (check: Check): Check =>
  (value, at) => {
    for (const [name, one] of Object.entries(toFields(value, at))) check(one, `${at}.${name}`)
  }

export const oneOrList =
  (check: Check): Check =>
  (value, at) =>
    (Array.isArray(value) ? list(check) : check)(value, at)
