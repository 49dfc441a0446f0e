/** The value below which this share of the values lies: 0 gives the minimum, 1 the maximum. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** As printed in tables: `1.02 (0.98–1.05)`. */
export const formatRange = (middle: number, low: number, high: number): string =>
  `${middle.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
