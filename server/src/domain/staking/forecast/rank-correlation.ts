/** Spearman's rank correlation: 1 for the same order, −1 for the reverse order, 0 if a list has no order. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)]
  const middle = (a.length + 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  for (const [index, rank] of x.entries()) {
    const [dx, dy] = [rank - middle, (y[index] ?? middle) - middle]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0
}

/** Ranks from 1; equal values get the mean of their ranks. */
function ranksOf(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index).toSorted((i, j) => (values[i] ?? 0) - (values[j] ?? 0))
  const ranks = new Array<number>(values.length).fill(0)
  for (let first = 0; first < order.length; ) {
    let end = first + 1
    while (end < order.length && values[order[end] ?? 0] === values[order[first] ?? 0]) end++
    for (const index of order.slice(first, end)) ranks[index] = (first + 1 + end) / 2
    first = end
  }
  return ranks
}
