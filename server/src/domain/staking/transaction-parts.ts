/** The bounds of one transaction: the network's smallest stake, and the upper limit of a policy. */
export type TransactionSize = { readonly least: bigint; readonly most: bigint }

/** The smallest number of transactions that move this amount. */
export const transactionsFor = (amount: bigint, most: bigint): bigint => (amount + most - 1n) / most

/**
 * Whether transactions of this size can move an amount exactly; some amounts are too large for one and too small
 * for two.
 */
export const isMovable = (amount: bigint, { least, most }: TransactionSize): boolean =>
  amount >= least && most >= least && transactionsFor(amount, most) * least <= amount

/** Divides an amount into `count` nearly equal parts, the larger ones first. */
export function equalParts(amount: bigint, count: bigint): readonly bigint[] {
  const [size, larger] = [amount / count, amount % count]
  return Array.from({ length: Number(count) }, (_, at) => (BigInt(at) < larger ? size + 1n : size))
}
