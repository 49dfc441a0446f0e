/** Replaces every secret in a text. Applied to external text before it is cut, logged or sent. */
export type Hide = (text: string) => string

const HIDDEN = '***'
/** Shorter values, such as a version in a path, are hidden only as separate words, because they would garble texts. */
export const SHORTEST_ANYWHERE = 6
const SHORTEST_WORD = 2
/** Escape sequences of URLs, of JSON and other string literals, and of HTML. */
const ESCAPED = /%[0-9a-f]{2}|\\(?:u\{?[0-9a-f]|x[0-9a-f]{2}|\/)|&#?\w{1,8};/i

export const hideNothing: Hide = (text) => text

/** Makes a function that hides the secrets; those shorter than `shortest` are ignored. */
export function hiderOf(secrets: readonly string[], shortest = SHORTEST_WORD): Hide {
  const forms = new Set(secrets.filter(({ length }) => length >= shortest).flatMap(formsOf))
  if (forms.size === 0) return hideNothing
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(toPattern).join('|'), 'giu')
  return (text) => {
    let shown = text.replace(pattern, HIDDEN)
    if (!ESCAPED.test(shown)) return shown
    // The decoded text replaces the original only if it contains a secret.
    for (const decode of [decodePercent, decodeLiterals, decodeEntities, decodeAll]) {
      const decoded = decode(shown)
      const hidden = decoded.replace(pattern, HIDDEN)
      if (hidden !== decoded) shown = hidden
    }
    return shown
  }
}

/** The forms of a secret in JSON, URLs, HTML, base64 and hexadecimal. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inPage = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const plain = [secret, inJson, JSON.stringify(inJson).slice(1, -1), inPage, ...bytesOf(secret)]
  return secret.isWellFormed() ? [...plain, ...plain.map(encodeURIComponent), encodeURI(secret)] : plain
}

/** Not for short secrets, whose encodings occur in unrelated texts. */
function bytesOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST_ANYWHERE) return []
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  return [base64, bytes.toString('base64url'), bytes.toString('hex')]
}

function toPattern(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return form.length < SHORTEST_ANYWHERE ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
}

/** Also decodes characters that need no escape. */
const decodeLiterals = (text: string): string =>
  text.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|\/)/gi,
    (_, inBraces, afterU, afterX) => toCharacter(inBraces ?? afterU ?? afterX ?? '2f', 16),
  )

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi, (_, hex, decimal, name) =>
    name ? (ENTITIES[name.toLowerCase()] ?? '') : toCharacter(hex ?? decimal, hex ? 16 : 10),
  )

const decodeAll = (text: string): string => decodeEntities(decodeLiterals(decodePercent(text)))

function toCharacter(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}

/** A copy of the error and its causes without secrets; the error itself if there is nothing to hide. */
export function hideInError(thrown: unknown, hide: Hide): unknown {
  if (typeof thrown === 'string') return hide(thrown)
  if (!(thrown instanceof Error)) return thrown
  const [message, stack, cause] = [
    hide(thrown.message),
    hide(thrown.stack ?? ''),
    hideInError(thrown.cause, hide),
  ]
  if (message === thrown.message && stack === (thrown.stack ?? '') && cause === thrown.cause) return thrown
  const shown = new Error(message, { cause })
  return Object.assign(shown, { name: thrown.name, stack, ...('code' in thrown && { code: thrown.code }) })
}
