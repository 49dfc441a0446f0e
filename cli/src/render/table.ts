import { stripVTControlCharacters } from 'node:util'
import type { Style } from './style.ts'

export type Column<T> = {
  readonly heading: string
  readonly cell: (item: T) => string
  /** Numbers end at the same place. */
  readonly align?: 'right'
}

const GAP = '  '
const ID = /^0x[0-9a-f]{40,64}$/

/** One line per item below a line of headings. Long ids are shortened where the line would not fit. */
export function table<T>(columns: readonly Column<T>[], items: readonly T[], style: Style): string {
  const full = items.map((item) => columns.map(({ cell }) => cell(item)))
  const headings = columns.map(({ heading }) => heading)
  const fits = lineWidth([headings, ...full]) <= style.columns
  const rows = fits ? full : full.map((cells) => cells.map(shortId))
  const widths = widthsOf([headings, ...rows])
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align))
      .join(GAP)
      .trimEnd()
  return [style.paint('bold', line(headings)), ...rows.map(line)].join('\n')
}

export const shortId = (text: string): string =>
  ID.test(text) ? `${text.slice(0, 8)}…${text.slice(-4)}` : text

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
