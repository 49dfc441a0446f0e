import { isUtf8 } from 'node:buffer'
import { refusal } from '../../../fault.ts'
import { NOT_SHOWN, shownName } from '../../../secrets/shown-name.ts'

/**
 * JSON that every reader understands alike. `JSON.parse` decides what is JSON; refused besides are the texts on which
 * parsers disagree or that are made to hurt: bad UTF-8, a byte order mark, a key twice in an object, keys that reach
 * for a prototype, halves of characters, zero characters, numbers that do not survive, and nesting without end.
 */
export function parseStrictJson(
  bytes: Uint8Array,
  maxDepth: number,
  largeNumbers: LargeNumbers = 'refused',
): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.', 'Encode it as UTF-8.')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  if (text.startsWith('\ufeff')) throw invalid('The body begins with a byte order mark.', 'Leave it out.')
  const members = countMembers(text, maxDepth)
  const value = parse(text, largeNumbers)
  // Of two equal keys the parser keeps one, so the value has fewer members than the text.
  if (countKeys(value, largeNumbers) !== members)
    throw invalid('An object of the body has the same key twice.', 'Send each key once.')
  return value
}

/** A number that a float cannot hold: the text is refused, or the number is infinite, and refused where it is used. */
export type LargeNumbers = 'refused' | 'infinite'

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN = [0x5b, 0x7b]
const CLOSE = [0x5d, 0x7d]

/** The colons outside of strings, in one pass that also stops at the first bracket too deep. */
function countMembers(text: string, maxDepth: number): number {
  let members = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members++
    else if (code === OPEN[0] || code === OPEN[1]) depth = nextDepth(depth, maxDepth)
    else if (code === CLOSE[0] || code === CLOSE[1]) depth--
  }
  return members
}

function nextDepth(depth: number, maxDepth: number): number {
  if (depth < maxDepth) return depth + 1
  throw invalid(`The body is nested more than ${maxDepth} deep.`, 'Flatten it.')
}

/** Where the string that begins at `start` ends: the next quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

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

/** Counts the members of all objects in a value whose depth is bounded, and refuses what must not be in it. */
function countKeys(value: unknown, largeNumbers: LargeNumbers, name = ''): number {
  if (typeof value === 'string') return checkText(value)
  if (typeof value === 'number') return largeNumbers === 'refused' ? checkNumber(value, name) : 0
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? countInList(value, largeNumbers, name) : countInObject(value, largeNumbers)
}

function countInList(list: readonly unknown[], largeNumbers: LargeNumbers, name: string): number {
  let keys = 0
  for (const item of list) keys += countKeys(item, largeNumbers, name)
  return keys
}

function countInObject<Parsed extends object>(object: Parsed, largeNumbers: LargeNumbers): number {
  let keys = 0
  // Objects from JSON.parse inherit no enumerable properties.
  for (const key in object) {
    if (FORBIDDEN_KEYS.includes(key)) throw invalid(`The key ${key} is not allowed.`, 'Leave it out.')
    keys += 1 + checkText(key) + countKeys(object[key], largeNumbers, key)
  }
  return keys
}

function checkText(text: string): 0 {
  if (text.includes('\0')) throw invalid('A text of the body has a zero character.', 'Leave it out.')
  if (text.isWellFormed()) return 0
  throw invalid('A text of the body has half of a surrogate pair.', 'Send whole characters.')
}

const toInfinite = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !isExact(value) ? Number.POSITIVE_INFINITY : value

const isExact = (number: number): boolean =>
  Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number))

function checkNumber(number: number, name: string): 0 {
  if (isExact(number)) return 0
  const shown = shownName(name)
  const which = shown === NOT_SHOWN ? 'A number of the body' : `The number \`${shown}\``
  throw invalid(`${which} is too large to be exact.`, 'Send large amounts as strings.')
}

const invalid = (problem: string, fix: string) => refusal('invalid_input', problem, fix)
