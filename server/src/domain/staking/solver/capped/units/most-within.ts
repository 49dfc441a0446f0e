/**
 * The constraints of a largest sum: each amount is between 0 and its bound, and the members of a cap add up to at
 * most `most`.
 */
export type Rooms = {
  readonly bounds: readonly bigint[]
  readonly caps: readonly { readonly members: ReadonlySet<number>; readonly most: bigint }[]
}

/** Amounts as fractions with one denominator. */
export type Fractions = {
  readonly amounts: readonly bigint[]
  readonly under: bigint
  /** The number of table cells that were recomputed. */
  readonly work: number
}

/**
 * The amounts whose sum is largest: a small linear program, solved without rounding by the simplex method in whole
 * numbers. It starts with all amounts at 0, which is feasible. After many pivots it switches to Bland's rule, which
 * cannot cycle. All entries of the table have the denominator `under`, and every division by it is exact.
 */
export function mostWithin({ bounds, caps }: Rooms): Fractions {
  const limits = [
    ...bounds.map((most, at) => ({ members: new Set([at]), most })),
    ...caps.filter(({ members, most }) => {
      let room = most
      for (const at of members) room -= bounds[at] ?? 0n
      return room < 0n
    }),
  ]
  const rows = limits.map(({ members, most }) => [
    ...bounds.map((_, at) => (members.has(at) ? 1n : 0n)),
    most,
  ])
  const table: Table = {
    rows,
    worth: [...bounds.map(() => 1n), 0n],
    outside: bounds.map((_, at) => at),
    basis: limits.map((_, row) => bounds.length + row),
    under: 1n,
  }
  let work = 0
  let pivots = 0
  const next = () => (pivots++ < 2 * rows.length ? steepest(table) : first(table))
  for (let enters = next(); enters !== undefined; enters = next()) {
    const leaves = leaving(table, enters)
    if (leaves === undefined) throw new Error('every amount has a bound')
    pivot(table, leaves, enters)
    work += rows.length * bounds.length
  }
  const amounts = bounds.map(() => 0n)
  for (const [row, variable] of table.basis.entries()) {
    if (variable < bounds.length) amounts[variable] = rows[row]?.at(-1) ?? 0n
  }
  return { amounts, under: table.under, work }
}

/**
 * The simplex tableau. The last column is the right-hand side; variables after the amounts are the slacks of the
 * limits.
 */
type Table = {
  readonly rows: bigint[][]
  readonly worth: bigint[]
  /** The non-basic variable (value 0) of each column. */
  readonly outside: number[]
  /** The basic variable of each row. */
  readonly basis: number[]
  under: bigint
}

/** The column with the largest coefficient in the sum (Dantzig's rule). */
function steepest({ worth, outside }: Table): number | undefined {
  let found: number | undefined
  for (const column of outside.keys()) {
    const value = worth[column] ?? 0n
    if (value > 0n && (found === undefined || value > (worth[found] ?? 0n))) found = column
  }
  return found
}

/** Of the columns that raise the sum, the one with the lowest variable (Bland's rule). */
function first({ worth, outside }: Table): number | undefined {
  let found: number | undefined
  for (const [column, variable] of outside.entries()) {
    if ((worth[column] ?? 0n) <= 0n) continue
    if (found === undefined || variable < (outside[found] ?? 0)) found = column
  }
  return found
}

/** The row with the smallest ratio; ties go to the lowest variable. */
function leaving({ rows, basis }: Table, enters: number): number | undefined {
  let found: { readonly row: number; readonly left: bigint; readonly cell: bigint } | undefined
  for (const [row, cells] of rows.entries()) {
    const [cell, left] = [cells[enters] ?? 0n, cells.at(-1) ?? 0n]
    if (cell <= 0n) continue
    const difference = found ? left * found.cell - found.left * cell : -1n
    const isFirst = (basis[row] ?? 0) < (basis[found?.row ?? 0] ?? 0)
    if (difference < 0n || (difference === 0n && isFirst)) found = { row, left, cell }
  }
  return found?.row
}

function pivot(table: Table, leaves: number, enters: number): void {
  const { rows, worth, outside, basis, under } = table
  const row = rows[leaves] ?? []
  const scale = row[enters] ?? 1n
  for (const other of [...rows, worth]) {
    const factor = other[enters] ?? 0n
    if (other === row || (factor === 0n && scale === under)) continue
    for (const [at, cell] of other.entries()) {
      if (at !== enters) other[at] = (cell * scale - factor * (row[at] ?? 0n)) / under
    }
    other[enters] = -factor
  }
  row[enters] = under
  table.under = scale
  const entered = outside[enters] ?? 0
  outside[enters] = basis[leaves] ?? 0
  basis[leaves] = entered
}
