/** Rates in percent of the amount per year, after the price of risk. */
export type Certificate = {
  readonly value: number
  /** Proven: under the stated model no split reaches more. */
  readonly bound: number
  /** (bound − value) / bound: 0 up to the rounding of floats when the split is the optimum. */
  readonly gap: number
  /** Branch-and-bound nodes of the proof. */
  readonly nodes: number
}

export function certify(
  reached: number,
  proven: { readonly bound: number; readonly nodes: number },
  amount: number,
): Certificate {
  // Float rounding may lift the sum above a bound that it equals.
  const bound = Math.max(proven.bound, reached)
  return {
    value: (100 * reached) / amount,
    bound: (100 * bound) / amount,
    gap: bound === reached ? 0 : (bound - reached) / (Math.abs(bound) || Math.abs(reached)),
    nodes: proven.nodes,
  }
}
