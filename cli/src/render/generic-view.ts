import type { Style } from './style.ts'
import { type Column, table } from './table.ts'

type Fields = Readonly<Record<string, unknown>>

/** Any answer for people: a list as a table, an object as its fields, lists inside it as tables below. */
export function genericView(data: unknown, style: Style): string {
  if (isListOfObjects(data)) return objectTable(data, style)
  if (!isObject(data)) return cellText(data)
  const entries = Object.entries(data)
  const lists = entries.filter(([, value]) => isListOfObjects(value) || isObject(value))
  const plain = entries.filter(([, value]) => !isListOfObjects(value) && !isObject(value))
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
      ...(items.every((item) => typeof item[name] === 'number') && { align: 'right' }),
    }),
  )
  return table(columns, items, style)
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isListOfObjects = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
