/** Two-sided 95% quantiles of Student's t by degrees of freedom; `tOf` approximates those beyond the table. */
const T = [Number.POSITIVE_INFINITY, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23]
const tOf = (freedom: number): number => T[freedom] ?? 1.96 + 2.5 / freedom

/**
 * The means of blocks of about `horizon` epochs. One block counts as one observation: outcomes of neighbouring epochs
 * overlap, and the validators of an epoch are correlated.
 */
export function blockMeans(
  byEpoch: readonly { readonly inside: number }[],
  horizon: number,
): readonly number[] {
  if (byEpoch.length === 0) return []
  const count = Math.max(1, Math.round(byEpoch.length / horizon))
  const start = (block: number): number => Math.floor((block * byEpoch.length) / count)
  return Array.from({ length: count }, (_, block) => {
    const here = byEpoch.slice(start(block), start(block + 1))
    return here.reduce((sum, { inside }) => sum + inside, 0) / here.length
  })
}

/** The 95% confidence interval of the mean, from the variance between blocks. One block gives 0 to 1. */
export function blockInterval(means: readonly number[]): {
  readonly low: number
  readonly high: number
  readonly blocks: number
} {
  const blocks = means.length
  if (blocks < 2) return { low: 0, high: 1, blocks }
  const mean = means.reduce((sum, one) => sum + one, 0) / blocks
  const variance = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (blocks - 1)
  const off = tOf(blocks - 1) * Math.sqrt(variance / blocks)
  return { low: Math.max(0, mean - off), high: Math.min(1, mean + off), blocks }
}
