const ID = /0x[0-9a-f]{64}/g
const BEGINNING = '0x12345678'.length

/** Abbreviates chain ids to `0x12345678…` if exactly one id above has this prefix. */
export function withShortIds(text: string, above: string): string {
  const known = [...new Set(above.match(ID))]
  const isOnly = (id: string) => onlyOneLike(id.slice(0, BEGINNING), known) === id
  return text.replaceAll(ID, (id) => (isOnly(id) ? `${id.slice(0, BEGINNING)}…` : id))
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Restores abbreviated ids in an `intent` that a model has copied from such a text, using the ids in the other
 * arguments. An id with no match or several stays abbreviated, and the endpoint refuses it.
 */
export function withWholeIds(given: Arguments): Arguments {
  const { intent, ...beside } = given
  if (typeof intent !== 'object' || intent === null) return given
  const known = [...new Set(idsIn(beside))]
  const whole = (value: unknown): unknown => {
    if (typeof value === 'string')
      return SHORT_ID.test(value) ? (onlyOneLike(value.slice(0, BEGINNING), known) ?? value) : value
    if (Array.isArray(value)) return value.map(whole)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, whole(inner)]))
  }
  return { ...given, intent: whole(intent) }
}

const SHORT_ID = /^0x[0-9a-f]{8}…$/

/** All ids in any usual spelling, as answers write them. */
function idsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(idsIn)
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
    ? [`0x${value.slice(2).toLowerCase().padStart(64, '0')}`]
    : []
}

function onlyOneLike(beginning: string, ids: readonly string[]): string | undefined {
  const [only, ...others] = ids.filter((id) => id.startsWith(beginning))
  return others.length === 0 ? only : undefined
}
