import { Misuse } from '../command.ts'

/**
 * JSON that somebody gives. A key twice in an object is refused, as the service does: the parser would keep the last
 * one, and who reads the text sees the first.
 */
export function readJson(text: string, what: string): unknown {
  const value = parse(text, what)
  if (membersIn(text) !== keysIn(value)) throw new Misuse(`${what} has a key twice in one object.`)
  return value
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Node's message quotes the text, which may be a secret.
    const place = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined
    throw new Misuse(`${what} is not JSON${place === undefined ? '' : `: see ${place.slice(3)}`}.`)
  }
}

/** Each member has the one colon that is outside of strings. */
const membersIn = (json: string): number =>
  json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').split(':').length - 1

/** Without a call for each level: the text may be nested deep. */
function keysIn(value: unknown): number {
  const open = [value]
  let keys = 0
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    const inside = Object.values(one)
    if (!Array.isArray(one)) keys += inside.length
    for (const item of inside) open.push(item)
  }
  return keys
}
