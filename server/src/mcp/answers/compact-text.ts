import { withShortIds } from './short-ids.ts'

/**
 * An answer as text for a language model: every value of the JSON, without its quotes, braces and repeated names. Lists
 * of objects become tables with one header line.
 */
export function compactText(value: unknown, repeats: Repeats = 'marked'): string {
  if (!isObject(value)) return cell(value)
  return Object.entries(value).reduce((above, [key, inner]) => {
    const lines = isRepeatedInItems(key, inner, value) ? '' : linesOf(key, inner, repeats).join('\n')
    if (lines === '') return above
    return `${above}${above && '\n'}${CHECKED.has(key) ? withShortIds(lines, above) : lines}`
  }, '')
}

/** Documents that a caller passes on to a wallet or another tool. They stay JSON. */
const DOCUMENTS: ReadonlySet<string> = new Set(['commands', 'transaction'])

/** The summary of a batch repeats those of its items. */
function isRepeatedInItems(key: string, value: unknown, { items }: Json): boolean {
  if (key !== 'summary' || !Array.isArray(items)) return false
  return value === items.map((item) => (isObject(item) ? item['summary'] : '')).join(' ')
}

/** Fields below the documents, in which ids that the documents have in full are abbreviated. */
const CHECKED: ReadonlySet<string> = new Set(['simulation', 'intent'])

/** Whether a value equal to the one in the row above is written as a ditto mark, which the instructions explain. */
type Repeats = 'marked' | 'written'

const linesOf = (key: string, value: unknown, repeats: Repeats): readonly string[] =>
  DOCUMENTS.has(key) && !isPlain(value)
    ? [`${key}: ${JSON.stringify(value)}`]
    : objectLines({ [key]: value }, '', repeats)

type Json = { readonly [key: string]: unknown }

function objectLines(object: Json, indent: string, repeats: Repeats): readonly string[] {
  return Object.entries(object).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (isObject(value)) return [`${indent}${key}:`, ...objectLines(value, `${indent}  `, repeats)]
    if (isTable(value))
      return [`${indent}${key} (${value.length}):`, ...tableLines(value, `${indent}  `, repeats)]
    return [`${indent}${key}: ${cell(value)}`]
  })
}

/** The first line names the columns: a nested field by its path, such as `components.apy`. */
function tableLines(rows: readonly Json[], indent: string, repeats: Repeats): readonly string[] {
  const flat = rows.map(flatten)
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  const cells = flat.map((row) => columns.map((column) => (column in row ? cell(row[column]) : '-')))
  const isMarked = repeats === 'marked'
  const above = (at: number, column: number) => (isMarked ? cells[at - 1]?.[column] : undefined)
  const lines = cells.map((row, at) => row.map((text, column) => ditto(text, above(at, column))))
  return [columns, ...lines].map((line) => indent + line.join(' | '))
}

/** Replaces a long value that equals the one in the row above, such as a time or a path. */
const ditto = (text: string, above: string | undefined): string =>
  text === above && text.length >= SHORTEST_REPEATED ? '"' : text

const SHORTEST_REPEATED = 10

function flatten(row: Json): Json {
  const flat: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row)) {
    if (value === undefined) continue
    if (!isObject(value)) flat[key] = value
    else for (const [inner, leaf] of Object.entries(flatten(value))) flat[`${key}.${inner}`] = leaf
  }
  return flat
}

function cell(value: unknown): string {
  if (Array.isArray(value) && value.every(isPlain)) return `[${runsOf(value.map(cell)).join(', ')}]`
  if (typeof value === 'number')
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)))
  return typeof value === 'string' ? oneLine(value) : JSON.stringify(value)
}

/** Run-length encodes equal long values, such as the calls of a batch. */
function runsOf(cells: readonly string[]): readonly string[] {
  const starts = cells.flatMap((text, at) => (at === 0 || ditto(text, cells[at - 1]) !== '"' ? [at] : []))
  return starts.map((at, index) => {
    const count = (starts[index + 1] ?? cells.length) - at
    return count === 1 ? `${cells[at]}` : `${count} × ${cells[at]}`
  })
}

/** Significant digits of fractions. Whole numbers and amounts keep every digit. */
const DIGITS = 10

/** Quotes third-party text that could pass for another line or column. */
const oneLine = (text: string): string =>
  /[\p{C}\p{Zl}\p{Zp}|]|^"$/u.test(text) ? JSON.stringify(text) : text

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTable = (value: unknown): value is readonly Json[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)
