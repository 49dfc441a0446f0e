/** Ascending, for sorting. Text is compared by its code units, so that the order is the same on every machine. */
export const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
