/** Largest sum of amounts, each up to a bound of its own, where some together may not exceed a cap. */
export type Rooms = {
  readonly bounds: readonly number[]
  readonly caps: readonly { readonly members: ReadonlySet<number>; readonly most: number }[]
}

const TINY = 1e-9
const MAX_PIVOTS = 500

/**
 * The amounts whose sum is largest: a small linear program, solved by the simplex method. Taking nothing is always
 * allowed, so that it starts there; Bland's rule keeps it from going round in circles. In units of the largest bound,
 * so that floats are compared alike at every size.
 */
export function mostWithin({ bounds, caps }: Rooms): readonly number[] {
  const unit = Math.max(0, ...bounds.filter(Number.isFinite))
  if (unit === 0) return bounds.map(() => 0)
  const count = bounds.length
  const limits = [
    ...bounds.map((most, at) => ({ members: new Set([at]), most })),
    ...caps.filter(({ members }) => members.size > 0),
  ]
  const rows = limits.map(({ members, most }, row) => [
    ...bounds.map((_, at) => (members.has(at) ? 1 : 0)),
    ...limits.map((_, slack) => (slack === row ? 1 : 0)),
    Math.max(0, most / unit),
  ])
  const basis = limits.map((_, row) => count + row)
  const worth = [...bounds.map(() => 1), ...limits.map(() => 0), 0]
  for (let pivots = 0; pivots < MAX_PIVOTS; pivots++) {
    const enters = worth.findIndex((value, at) => at < worth.length - 1 && value > TINY)
    if (enters === -1) break
    const leaves = leavingRow(rows, basis, enters)
    if (leaves === undefined) break
    pivot(rows, worth, leaves, enters)
    basis[leaves] = enters
  }
  const amounts = bounds.map(() => 0)
  for (const [row, variable] of basis.entries()) {
    if (variable < count) amounts[variable] = unit * Math.max(0, rows[row]?.at(-1) ?? 0)
  }
  return amounts
}

/** The row that is used up first; of several, the one whose variable comes first. */
function leavingRow(
  rows: readonly (readonly number[])[],
  basis: readonly number[],
  enters: number,
): number | undefined {
  let found: { readonly row: number; readonly ratio: number } | undefined
  for (const [row, cells] of rows.entries()) {
    const cell = cells[enters] ?? 0
    if (cell <= TINY) continue
    const ratio = (cells.at(-1) ?? 0) / cell
    const isFirst = (basis[row] ?? 0) < (basis[found?.row ?? 0] ?? 0)
    if (!found || ratio < found.ratio - TINY || (ratio <= found.ratio + TINY && isFirst))
      found = { row, ratio }
  }
  return found?.row
}

function pivot(rows: number[][], worth: number[], leaves: number, enters: number): void {
  const row = rows[leaves] ?? []
  const scale = row[enters] ?? 1
  for (const at of row.keys()) row[at] = (row[at] ?? 0) / scale
  for (const other of [...rows, worth]) {
    if (other === row) continue
    const factor = other[enters] ?? 0
    if (factor === 0) continue
    for (const [at, cell] of row.entries()) other[at] = (other[at] ?? 0) - factor * cell
  }
}
