import { isUtf8 } from 'node:buffer'
import { hasKeyTwice, sizeOfJson } from '@stakewright/contract/json-keys'
import { refusal } from '../../../fault.ts'

/**
 * Parses JSON that all parsers read alike. Refuses what `JSON.parse` refuses, and texts on which parsers disagree or
 * that are attacks: invalid UTF-8, a byte order mark, repeated keys, keys such as `__proto__`, lone surrogates, NUL
 * characters, inexact numbers, and deep nesting. Messages name a key only as `shownKey` gives it.
 */
export function parseStrictJson(
  bytes: Uint8Array,
  maxDepth: number,
  largeNumbers: LargeNumbers = 'refused',
  shownKey: ShownKey = () => undefined,
): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.', 'Encode it as UTF-8.')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  if (text.startsWith('\ufeff')) throw invalid('The body begins with a byte order mark.', 'Leave it out.')
  const size = sizeOfJson(text)
  if (size.depth > maxDepth) throw invalid(`The body is nested more than ${maxDepth} deep.`, 'Flatten it.')
  const value = parse(text, largeNumbers)
  check(value, { largeNumbers, shownKey })
  if (hasKeyTwice(value, size))
    throw invalid('An object of the body has the same key twice.', 'Send each key once.')
  return value
}

/** For numbers that a float cannot represent exactly: the text is refused, or the number becomes Infinity. */
export type LargeNumbers = 'refused' | 'infinite'

/** The form in which a message shows a key of a body; undefined: it is not repeated, because it may be a secret. */
export type ShownKey = (key: string) => string | undefined

type Checks = { readonly largeNumbers: LargeNumbers; readonly shownKey: ShownKey }

function parse(text: string, largeNumbers: LargeNumbers): unknown {
  try {
    return largeNumbers === 'refused' ? JSON.parse(text) : JSON.parse(text, toInfinite)
  } catch (cause) {
    const position = cause instanceof SyntaxError ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    const where = position === undefined ? '' : ` at character ${position}`
    throw invalid(`The body is not valid JSON${where}.`, 'Correct it and send it again.')
  }
}

const FORBIDDEN_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Checks a value recursively; its depth is bounded. `name` is its key, or that of the list it is in, for messages. */
function check(value: unknown, checks: Checks, name = ''): void {
  if (typeof value === 'string') checkText(value)
  else if (typeof value === 'number' && checks.largeNumbers === 'refused')
    checkNumber(value, checks.shownKey(name))
  else if (Array.isArray(value)) for (const item of value) check(item, checks, name)
  else if (typeof value === 'object' && value !== null) checkObject(value, checks)
}

function checkObject<Parsed extends object>(object: Parsed, checks: Checks): void {
  // Objects from JSON.parse inherit no enumerable properties.
  for (const key in object) {
    if (FORBIDDEN_KEYS.includes(key)) throw invalid(`The key ${key} is not allowed.`, 'Leave it out.')
    checkText(key)
    check(object[key], checks, key)
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw invalid('A text of the body has a zero character.', 'Leave it out.')
  if (!text.isWellFormed())
    throw invalid('A text of the body has half of a surrogate pair.', 'Send whole characters.')
}

const toInfinite = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !isExact(value) ? Number.POSITIVE_INFINITY : value

const isExact = (number: number): boolean =>
  Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number))

/** The message must suit counts and amounts: it is not known here whether the field takes a string of digits. */
const TOO_LARGE_FIX = 'Send an amount as a string of digits, and a smaller number in any other field.'

function checkNumber(number: number, shown: string | undefined): void {
  if (isExact(number)) return
  const which = shown === undefined ? 'A number of the body' : `The number \`${shown}\``
  throw invalid(`${which} is too large to be exact.`, TOO_LARGE_FIX)
}

const invalid = (problem: string, fix: string) => refusal('invalid_input', problem, fix)
