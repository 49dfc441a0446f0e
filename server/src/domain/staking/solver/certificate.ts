/** Rates in percent of the amount per year, after the price of risk. */
export type Certificate = {
  readonly value: number
  /** Proven: under the stated model no split reaches more. */
  readonly bound: number
  /** (bound − value) / bound: 0 up to the rounding of floats when the split is the optimum. */
  readonly gap: number
  /** Branches that were looked into to prove it. */
  readonly nodes: number
}

export function certify(
  reached: number,
  proven: { readonly bound: number; readonly nodes: number },
  amount: number,
): Certificate {
  // Rounding may lift a sum of floats above a bound that it meets.
  const bound = Math.max(proven.bound, reached)
  return {
    value: (100 * reached) / amount,
    bound: (100 * bound) / amount,
    gap: bound === reached ? 0 : (bound - reached) / Math.abs(bound),
    nodes: proven.nodes,
  }
}
