type Values = readonly (number | null)[]
type Line = { readonly x: readonly number[]; readonly y: Values }

/** Breaks the line where epochs are missing: an interpolation would invent their values. */
export function withGaps(x: readonly number[], y: Values): Line {
  const points = x.flatMap((at, index) => {
    const before = x[index - 1]
    const point = { x: at, y: y[index] ?? null }
    return before !== undefined && at - before > 1 ? [{ x: at - 0.5, y: null }, point] : [point]
  })
  return { x: points.map((one) => one.x), y: points.map((one) => one.y) }
}

export const hasLonePoint = (y: Values): boolean =>
  y.some(
    (value, index) => value !== null && (y[index - 1] ?? null) === null && (y[index + 1] ?? null) === null,
  )

/** The range of the x-axis. A single epoch is in its middle, with no other epoch on the axis. */
export function spanOf(x: readonly number[]): [number, number] {
  const [first = 0, last = first] = [x[0], x.at(-1)]
  return first === last ? [first - 0.5, last + 0.5] : [first, last]
}
