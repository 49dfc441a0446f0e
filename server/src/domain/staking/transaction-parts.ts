/** What one transaction may move: the network's smallest stake or more, and at most what a policy says. */
export type TransactionSize = { readonly least: bigint; readonly most: bigint }

/** The fewest transactions that move this much. */
export const transactionsFor = (amount: bigint, most: bigint): bigint => (amount + most - 1n) / most

/** Whether an amount can be moved by transactions of this size: some are too large for one and too small for two. */
export const isMovable = (amount: bigint, { least, most }: TransactionSize): boolean =>
  amount >= least && most >= least && transactionsFor(amount, most) * least <= amount

/** The amounts of so many transactions that together move this much, as equal as they can be, the larger ones first. */
export function equalParts(amount: bigint, count: bigint): readonly bigint[] {
  const [size, larger] = [amount / count, amount % count]
  return Array.from({ length: Number(count) }, (_, at) => (BigInt(at) < larger ? size + 1n : size))
}
