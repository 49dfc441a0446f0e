/** Trusted HTML, made by `htmlText`; other strings are escaped. */
export type Text = { readonly text: string }

/**
 * Renders templates of the web app to a string: a value after `=` is an attribute, which is left out if it is missing
 * or false; any other value is content.
 */
export function htmlText(strings: TemplateStringsArray, ...values: unknown[]): Text {
  const text = strings.reduce((before, part, index) => addValue(before, values[index - 1]) + part)
  return { text }
}

function addValue(before: string, value: unknown): string {
  const isMissing = value === undefined || value === null || value === false
  const [attribute] = /\s[\w-]+=$/.exec(before) ?? []
  if (attribute === undefined) return before + (isMissing ? '' : toContent(value))
  return isMissing ? before.slice(0, -attribute.length) : `${before}"${escaped(String(value))}"`
}

function toContent(value: unknown): string {
  if (Array.isArray(value)) return value.map(toContent).join('')
  return isText(value) ? value.text : escaped(String(value))
}

const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'text' in value

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
