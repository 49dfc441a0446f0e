/**
 * The last line before a log: what looks like a secret becomes its name, and nothing in a text can end its line,
 * colour a terminal or turn the reading direction. Nothing secret is meant to come this far.
 */
export function scrub(text: string): string {
  let clean = text
  for (const [shape, name] of SECRET_SHAPES) clean = clean.replace(shape, name)
  return clean.replace(UNPRINTABLE, escapeCharacter)
}

/** Keeps the lines of a stack trace, which a JSON line holds safely; everything else as `scrub` does. */
export const scrubLines = (text: string): string => text.split('\n').map(scrub).join('\n')

const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, '[jwt]'],
  [/\b[a-z][a-z0-9]{0,15}_[0-9A-Za-z]{40,}/g, '[api key]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [credential]'],
  [/([?&](?:token|code|key|api_key)=)[^&\s"']+/gi, '$1[hidden]'],
  [/(:\/\/[^\s:@/]*:)[^\s@/]+@/g, '$1[password]@'],
  // An object id of the chain has the same digits after 0x, and is no secret.
  [/\b[0-9a-fA-F]{64}\b/g, '[token]'],
]

// Control characters, line and paragraph separators, zero-width and bidirectional marks, halves of characters.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
