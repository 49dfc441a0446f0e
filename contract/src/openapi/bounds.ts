/** The bounds of a value in words, such as `1 to 100` or `at most 256 characters`; undefined: it has none. */
export function boundsInWords(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const above = boundOf(exclusiveMinimum)
  const most = boundOf(maximum)
  if (above !== undefined) return `above ${above}${most === undefined ? '' : `, at most ${most}`}`
  return (
    range(boundOf(minimum), most) ??
    range(boundOf(minLength), boundOf(maxLength), 'character') ??
    range(boundOf(minItems), boundOf(maxItems), 'item')
  )
}

function range(least: number | undefined, most: number | undefined, counted?: string): string | undefined {
  const withNoun = (text: string, last: number) =>
    counted === undefined ? text : `${text} ${counted}${last === 1 ? '' : 's'}`
  if (most === undefined) return least === undefined ? undefined : withNoun(`at least ${least}`, least)
  if (least === undefined) return withNoun(`at most ${most}`, most)
  return withNoun(least === most ? `${most}` : `${least} to ${most}`, most)
}

/** Undefined for the bounds of safe integers, which the schema library gives to every integer. */
const boundOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined
