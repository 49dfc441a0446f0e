/** Replaces a symmetric positive matrix by its lower Cholesky factor. */
export function factorise(matrix: Float64Array, count: number): void {
  for (let column = 0; column < count; column++) {
    let pivot = matrix[column * count + column] ?? 0
    const scale = pivot
    for (let at = 0; at < column; at++) pivot -= (matrix[column * count + at] ?? 0) ** 2
    // Cancellation may leave a pivot of 0 or less: the lower limit keeps the root positive.
    const root = Math.sqrt(Math.max(pivot, 1e-14 * scale, 1e-300))
    matrix[column * count + column] = root
    for (let row = column + 1; row < count; row++) {
      let value = matrix[row * count + column] ?? 0
      for (let at = 0; at < column; at++)
        value -= (matrix[row * count + at] ?? 0) * (matrix[column * count + at] ?? 0)
      matrix[row * count + column] = value / root
    }
  }
}

/** Solves the system in place: `vector` becomes the solution. `factor` comes from `factorise`. */
export function solve(factor: Float64Array, vector: Float64Array): void {
  const count = vector.length
  for (let row = 0; row < count; row++) {
    let value = vector[row] ?? 0
    for (let at = 0; at < row; at++) value -= (factor[row * count + at] ?? 0) * (vector[at] ?? 0)
    vector[row] = value / (factor[row * count + row] ?? 1)
  }
  for (let row = count - 1; row >= 0; row--) {
    let value = vector[row] ?? 0
    for (let at = row + 1; at < count; at++) value -= (factor[at * count + row] ?? 0) * (vector[at] ?? 0)
    vector[row] = value / (factor[row * count + row] ?? 1)
  }
}
