const HIDDEN = '[hidden]'
const LONGEST_TEXT = 4_000
/** Nothing that has one of the shapes below is shorter: most texts need not be searched. */
const SHORTEST_SECRET = 40

/**
 * Whatever has the shape of an API key, of a token in three dot-separated parts, or of a link token of 64
 * hexadecimal digits. Identifiers of the chain are as long, but start with 0x.
 */
const SECRETS =
  /[a-z][a-z0-9]{1,7}_[0-9a-z]{46}|(?<![0-9a-z-])eyJ[\w-]{1,500}\.[\w-]{1,4000}\.[\w-]*|(?<!0x|[0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi

/** Characters that JSON leaves as they are, and with which a terminal shows something else than was written. */
const DECEIVING = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The last line of defence: no field should hold a secret, and one that does is not logged. */
export function scrub(text: string): string {
  const plain = text.length < SHORTEST_SECRET ? text : shorten(text).replace(SECRETS, HIDDEN)
  return plain.replace(DECEIVING, '\ufffd')
}

/** Cuts at the end of a word: half of a secret would no longer have its shape. */
function shorten(text: string): string {
  if (text.length <= LONGEST_TEXT) return text
  let end = LONGEST_TEXT
  while (end > 0 && /[\w.-]/.test(text.charAt(end - 1))) end -= 1
  return `${text.slice(0, end)}…`
}
