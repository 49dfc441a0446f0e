/** Splits an amount into `count` parts that are equal up to one unit. */
export const inParts = (amount: bigint, count: bigint): bigint[] =>
  Array.from({ length: Number(count) }, (_, at) => amount / count + (BigInt(at) < amount % count ? 1n : 0n))
