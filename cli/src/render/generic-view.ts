import type { Style } from './style.ts'
import { type Column, table } from './table.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Renders any answer: a list as a table, an object as its fields, with nested lists as tables below. */
export function genericView(data: unknown, style: Style): string {
  if (isListOfObjects(data)) return objectTable(data, style)
  if (isListOfTexts(data)) return data.join('\n')
  if (!isObject(data)) return cellText(data)
  const entries = Object.entries(data)
  const isBelow = (value: unknown) => isListOfObjects(value) || isObject(value) || isListOfTexts(value)
  const lists = entries.filter(([, value]) => isBelow(value))
  const plain = entries.filter(([, value]) => !isBelow(value))
  const width = Math.max(0, ...plain.map(([name]) => name.length))
  const lines = plain.map(([name, value]) => `${style.paint('dim', name.padEnd(width))}  ${cellText(value)}`)
  const below = lists.map(
    ([name, value]) => `\n${style.paint('bold', name)}\n${genericView(value, style) || '(none)'}`,
  )
  return [...lines, ...below].join('\n').trim()
}

function objectTable(items: readonly Fields[], style: Style): string {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const columns = names.map(
    (name): Column<Fields> => ({
      heading: name,
      cell: (item) => cellText(item[name]),
      ...(items.every((item) => isFigure(item[name])) && { align: 'right' }),
    }),
  )
  return table(columns, items, style)
}

const isFigure = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d[\d,.]*(?:%| [A-Z]+)?$/.test(value))

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isListOfObjects = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Sentences, or names too long for one line. */
const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === 'string') &&
  value.join(', ').length > LONGEST_CELL

const LONGEST_CELL = 60

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return listText(value)
  if (!isObject(value)) return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${cellText(inner)}`)
    .join(', ')
}

/** A list too long for a cell is shown as its length; `--json` prints it. */
function listText(items: readonly unknown[]): string {
  const text = items.map(cellText).join(', ')
  const isShort = text.length <= LONGEST_CELL && !items.some(isObject)
  return isShort ? text || '-' : `${items.length} (--json)`
}
