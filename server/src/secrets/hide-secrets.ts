/** Replaces every secret in a text. What comes from outside passes here before it is cut, logged or answered. */
export type Hide = (text: string) => string

const HIDDEN = '***'
/** Shorter values, such as a version in a path, are hidden as words of their own only: else they would garble a text. */
export const SHORTEST_ANYWHERE = 6
const SHORTEST_WORD = 2
const ESCAPED = /%[0-9a-f]{2}|\\u00[0-9a-f]{2}/i

export const hideNothing: Hide = (text) => text

/** `shortest`: shorter ones are left alone. */
export function hiderOf(secrets: readonly string[], shortest = SHORTEST_WORD): Hide {
  const forms = new Set(secrets.filter(({ length }) => length >= shortest).flatMap(formsOf))
  if (forms.size === 0) return hideNothing
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(toPattern).join('|'), 'giu')
  return (text) => {
    const hidden = text.replace(pattern, HIDDEN)
    if (!ESCAPED.test(hidden)) return hidden
    const spelled = unescaped(hidden)
    const again = spelled.replace(pattern, HIDDEN)
    return again === spelled ? hidden : again
  }
}

/** As JSON, a URL and a page may write it. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inPage = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const plain = [secret, inJson, JSON.stringify(inJson).slice(1, -1), inPage]
  return secret.isWellFormed() ? [...plain, ...plain.map(encodeURIComponent), encodeURI(secret)] : plain
}

function toPattern(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return form.length < SHORTEST_ANYWHERE ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
}

/** Characters that need no escape may be escaped all the same. */
function unescaped(text: string): string {
  return decodePercent(text).replace(/\\u00([0-9a-f]{2})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
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

/** A copy of the error, causes included, without secrets; the error itself when there is nothing to hide. */
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
