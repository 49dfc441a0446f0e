/** Basis points by epoch, then by validator, as they were read while the epoch ran. */
export type SeenCommissions = ReadonlyMap<number, ReadonlyMap<string, number>>
