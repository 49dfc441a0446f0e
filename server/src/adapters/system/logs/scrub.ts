/**
 * Last defence before the log, as secrets should not get here: replaces text in the form of a secret by a placeholder,
 * and escapes line breaks, terminal control sequences and bidi characters.
 */
export function scrub(text: string): string {
  if (isPlain(text)) return text
  let clean = shorten(text)
  if (SUSPICIOUS.test(clean)) for (const [shape, name] of SECRET_SHAPES) clean = clean.replace(shape, name)
  return clean.replace(UNPRINTABLE, escapeCharacter)
}

/** Cuts at a word boundary, because a cut secret would no longer match its pattern. */
function shorten(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  let end = LONGEST_TEXT
  while (end > 0 && /[\w.-]/.test(text.charAt(end - 1))) end -= 1
  return `${text.slice(0, end)}…`
}

/** `scrub` for each line: keeps the line breaks of a stack trace, which JSON escapes. */
export const scrubLines = (text: string): string => text.split('\n').map(scrub).join('\n')

const LONGEST_TEXT = 4_000

/** Fast path for ids, methods and route templates: short and printable. */
export const isPlain = (text: string): boolean => PLAIN.test(text)

const PLAIN = /^[\w{}./-]{0,39}$/

/** Fast path: most texts match none of the patterns below. */
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

// Control characters, line and paragraph separators, zero-width and bidirectional marks, lone surrogates.
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
