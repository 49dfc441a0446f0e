/**
 * The last line before a log: what looks like a secret becomes its name, and nothing in a text can end its line,
 * colour a terminal or turn the reading direction. Nothing secret is meant to come this far.
 */
export function scrub(text: string): string {
  if (isPlain(text)) return text
  let clean = shorten(text)
  if (SUSPICIOUS.test(clean)) for (const [shape, name] of SECRET_SHAPES) clean = clean.replace(shape, name)
  return clean.replace(UNPRINTABLE, escapeCharacter)
}

/** Cuts at the end of a word: half of a secret would no longer have its shape. */
function shorten(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  let end = LONGEST_TEXT
  while (end > 0 && /[\w.-]/.test(text.charAt(end - 1))) end -= 1
  return `${text.slice(0, end)}…`
}

/** Keeps the lines of a stack trace, which a JSON line holds safely; everything else as `scrub` does. */
export const scrubLines = (text: string): string => text.split('\n').map(scrub).join('\n')

const LONGEST_TEXT = 4_000

/** Ids, methods and route templates: too short for a secret, and nothing in them but what is seen. */
export const isPlain = (text: string): boolean => PLAIN.test(text)

const PLAIN = /^[\w{}./-]{0,39}$/

/** One look tells that most texts hold none of the shapes below. */
const SUSPICIOUS = /[0-9A-Za-z_-]{40}|eyJ|bearer|basic|=|:\/\//i

const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/(?<![0-9A-Za-z-])eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, '[jwt]'],
  [/[a-z][a-z0-9]{0,15}_[0-9A-Za-z]{40,}/gi, '[api key]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [credential]'],
  [/([?&](?:token|code|key|api_key)=)[^&\s"']+/gi, '$1[hidden]'],
  [/(:\/\/[^\s:@/]*:)[^\s@/]+@/g, '$1[password]@'],
  // Object ids of the chain (0x…) and hashes that are meant to be read (sha256:…) have the same digits.
  [/(?<!0x|\bsha256:|[0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi, '[token]'],
]

// Control characters, line and paragraph separators, zero-width and bidirectional marks, halves of characters.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
