import type { BcsType } from '@mysten/sui/bcs'
import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils'

/** An endpoint answered, but what it said cannot be used: malformed, impossible, too old, or of another chain. */
export class UnusableAnswer extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnusableAnswer'
  }
}

/**
 * Reads bytes that must be exactly one value of the layout. Writing the value again must give the same bytes: so
 * leftovers, bad UTF-8, a `bool` of 2 and every other second spelling are refused, not only bytes that end early; and
 * so is a reader that looks past the end of a view, into the next object of the same answer.
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

/** The value, which the chain always sets, but which the wire format allows to be missing. */
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

/** With epochs of a day, a chain has so many after 270 years. */
const MOST_EPOCHS = 100_000

/**
 * An epoch of a network. Lists of past epochs are as long as the present one is large, and a token's epochs become
 * dates, so an impossible one is refused.
 */
export function toEpoch(epoch: number): number {
  check(epoch <= MOST_EPOCHS, `the epoch is impossible: ${epoch}`)
  return epoch
}

/** An id or address in its one long form. */
export function toId(text: string | undefined, what: string): string {
  const id = normalizeSuiAddress(present(text, what))
  check(isValidSuiAddress(id), `${what} is malformed`)
  return id
}

export function toBasisPoints(value: bigint | number, what: string): number {
  check(value >= 0 && value <= 10_000, `${what} is not within 0 and 10000 basis points: ${value}`)
  return Number(value)
}

/** What a validator says about itself; longer texts are cut. */
export const toDisplayText = (said: string): string | undefined => toLine(said, 1_000) || undefined

/** One line that reads in one direction and ends with a whole character: half of one is no JSON to many readers. */
export function toLine(said: string, longest: number): string {
  const line = said
    .toWellFormed()
    .replace(/[\p{Bidi_Control}\u200b\u2060\ufeff]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return line.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
}

/** An address that a page may link to; everything else that a validator may have written is left out. */
export function toWebAddress(said: string): string | undefined {
  const url = URL.parse(said.trim())
  const isUsable = url && (url.protocol === 'https:' || url.protocol === 'http:') && url.href.length <= 500
  return isUsable ? url.href : undefined
}

/** Validators choose their names: a name is cut to one printable line, and an empty one is replaced. */
export const toDisplayName = (name: string): string => toLine(name, 128) || 'unnamed'
