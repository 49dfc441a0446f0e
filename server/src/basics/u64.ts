/** The largest number of 64 bits without a sign: the largest amount on a chain. */
export const MAX_U64 = 2n ** 64n - 1n
