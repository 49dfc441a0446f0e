/** The middle value; between two middle ones, their mean. 0 for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = inOrder(values)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** Ascending. A typed array sorts numbers several times as fast as a list that compares them by a function. */
export const inOrder = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()
