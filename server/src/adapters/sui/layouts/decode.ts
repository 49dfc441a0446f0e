import type { BcsType } from '@mysten/sui/bcs'
import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils'

/** The answer of an endpoint cannot be used: it is malformed, impossible, too old, or of another chain. */
export class UnusableAnswer extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnusableAnswer'
  }
}

/**
 * Decodes bytes that must be exactly one value of the layout. Serializing the value again must give the same bytes.
 * This refuses extra bytes, invalid UTF-8, a `bool` of 2 and other non-canonical encodings, and a parser that reads
 * beyond the end of a view, into the next object of the same answer.
 */
export function decode<T extends Input, Input>(
  layout: BcsType<T, Input>,
  bytes: Uint8Array,
  what: string,
): T {
  const { value, again } = parseBothWays(layout, bytes, what)
  if (Buffer.compare(bytes, again) !== 0) {
    throw new UnusableAnswer(
      `${what} is not laid out as expected: bytes are left over or spelled differently`,
    )
  }
  return value
}

function parseBothWays<T extends Input, Input>(layout: BcsType<T, Input>, bytes: Uint8Array, what: string) {
  try {
    const value = layout.parse(bytes)
    return { value, again: layout.serialize(value).toBytes() }
  } catch (cause) {
    throw new UnusableAnswer(`${what} is not laid out as expected`, { cause })
  }
}

/** Asserts a value that the chain always sets, although the wire format makes it optional. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new UnusableAnswer(`${what} is missing`)
  return value
}

export function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new UnusableAnswer(message)
}

/** Converts an epoch, checkpoint or time to a number; throws for values beyond 2^53. */
export function toWhole(value: bigint, what: string): number {
  check(value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER), `${what} is impossible: ${value}`)
  return Number(value)
}

/** Reached after 270 years with epochs of a day. */
const MAX_EPOCHS = 100_000

/**
 * Refuses impossible epochs, because lists of past epochs are as long as the present one is large, and a token's epochs
 * become dates.
 */
export function toEpoch(epoch: number): number {
  check(epoch <= MAX_EPOCHS, `the epoch is impossible: ${epoch}`)
  return epoch
}

/** An id or address in canonical form. */
export function toId(text: string | undefined, what: string): string {
  const id = normalizeSuiAddress(present(text, what))
  check(isValidSuiAddress(id), `${what} is malformed`)
  return id
}

export function toBasisPoints(value: bigint | number, what: string): number {
  check(value >= 0 && value <= 10_000, `${what} is not within 0 and 10000 basis points: ${value}`)
  return Number(value)
}

/** Text that a validator wrote about itself, cut to 1,000 characters. */
export const toDisplayText = (said: string): string | undefined => toLine(said, 1_000) || undefined

/**
 * One line without control and bidi characters. Never ends in half a surrogate pair, which many JSON parsers refuse.
 */
export function toLine(said: string, longest: number): string {
  const line = said
    .toWellFormed()
    .replace(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
}

/** An http(s) URL of at most 500 characters, safe as a link; undefined for anything else that a validator wrote. */
export function toWebAddress(said: string): string | undefined {
  const url = URL.parse(said.trim())
  const isUsable = url && (url.protocol === 'https:' || url.protocol === 'http:') && url.href.length <= 500
  return isUsable ? url.href : undefined
}

/** Validators choose their names: a name is cut to one printable line, and an empty one is replaced. */
export const toDisplayName = (name: string): string => toLine(name, 128) || 'unnamed'
