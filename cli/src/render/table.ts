import { stripVTControlCharacters } from 'node:util'
import type { Style } from './style.ts'

export type Column<T> = {
  readonly heading: string
  readonly cell: (item: T) => string
  readonly align?: 'right'
}

const GAP = '  '
const INDENT = '    '
const ID = /^0x[0-9a-f]{40,64}$/

/**
 * One line per item below the headings. Ids are never shortened, because people copy them: if the line is too wide,
 * each id gets its own line below the item.
 */
export function table<T>(columns: readonly Column<T>[], items: readonly T[], style: Style): string {
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)))
  const headings = columns.map(({ heading }) => heading)
  const fits = lineWidth([headings, ...rows]) <= style.columns
  const isBelow = columns.map((_, index) => !fits && rows.some((row) => ID.test(row[index] ?? '')))
  const widths = widthsOf([headings, ...rows])
  const line = (cells: readonly string[]) =>
    cells
      .flatMap((cell, index) =>
        isBelow[index] ? [] : [pad(cell, widths[index] ?? 0, columns[index]?.align)],
      )
      .join(GAP)
      .trimEnd()
  const below = (cells: readonly string[]) =>
    cells.flatMap((cell, index) =>
      isBelow[index] && cell !== '-'
        ? [style.paint('dim', `${INDENT}${labelOf(headings[index] ?? '')} ${cell}`)]
        : [],
    )
  const lines = rows.flatMap((cells) => [line(cells), ...below(cells)].filter((text) => text !== ''))
  return [style.paint('bold', line(headings)), ...lines].filter((text) => text !== '').join('\n')
}

/** Headings in capitals are words and become lower case; others are field names and stay. */
const labelOf = (heading: string): string =>
  heading === heading.toUpperCase() ? heading.toLowerCase() : heading

const visibleLength = (text: string): number => stripVTControlCharacters(text).length

const widthsOf = (rows: readonly (readonly string[])[]): readonly number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => visibleLength(row[column] ?? ''))))

const lineWidth = (rows: readonly (readonly string[])[]): number => {
  const widths = widthsOf(rows)
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1)
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const blank = ' '.repeat(Math.max(0, width - visibleLength(text)))
  return align === 'right' ? blank + text : text + blank
}
