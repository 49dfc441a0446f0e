/** How hard a code is to read: long runs, blocks, what looks like a corner, and an imbalance of dark and light. */
export function penaltyOf(code: readonly (readonly boolean[])[]): number {
  const rows = code.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(''))
  const lines = [...rows, ...columns]
  const total = rows.length ** 2
  const dark = rows.reduce((sum, row) => sum + row.replaceAll('0', '').length, 0)
  const imbalance = Math.max(0, Math.ceil(Math.abs(dark * 20 - total * 10) / total) - 1)
  return sum(lines.map(runsOf)) + sum(lines.map(cornersOf)) + blocksOf(rows) + imbalance * 10
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const runsOf = (line: string): number =>
  sum((line.match(/0{5,}|1{5,}/g) ?? []).map(({ length }) => length - 2))

const cornersOf = (line: string): number => 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length

function blocksOf(rows: readonly string[]): number {
  let found = 0
  for (const [y, row] of rows.entries()) {
    const next = rows[y + 1] ?? ''
    for (let x = 0; x + 1 < next.length; x++) {
      const block = `${row[x]}${row[x + 1]}${next[x]}${next[x + 1]}`
      if (block === '0000' || block === '1111') found += 3
    }
  }
  return found
}
