/** The size of a JSON text: how many members its objects have together, and how deep its brackets are nested. */
export type JsonSize = { readonly members: number; readonly depth: number }

/**
 * Whether an object of a JSON text has a key twice, given the text's size and what `JSON.parse` made of it. Of two
 * equal keys `JSON.parse` keeps the last one, so the value has fewer keys than the text has members. Other parsers
 * keep the first one: such a text means two things.
 */
export const hasKeyTwice = (value: unknown, { members }: JsonSize): boolean => countKeys(value) !== members

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN = [0x5b, 0x7b]
const CLOSE = [0x5d, 0x7d]

/** Takes one pass and does not check the syntax: there are as many members as colons outside of strings. */
export function sizeOfJson(text: string): JsonSize {
  let members = 0
  let open = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members++
    else if (code === OPEN[0] || code === OPEN[1]) depth = Math.max(depth, ++open)
    else if (code === CLOSE[0] || code === CLOSE[1]) open--
  }
  return { members, depth }
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

/** Iterative, because the text may be nested deeply. */
function countKeys(value: unknown): number {
  const open = [value]
  let keys = 0
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    const inside: readonly unknown[] = Object.values(one)
    if (!Array.isArray(one)) keys += inside.length
    for (const item of inside) if (typeof item === 'object') open.push(item)
  }
  return keys
}
