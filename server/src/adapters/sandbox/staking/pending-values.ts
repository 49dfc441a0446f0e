/** Amounts by the epoch in which they are due. At most a few epochs are open at a time. */
export type PendingValues = ReadonlyMap<number, bigint>

export const NOTHING_PENDING: PendingValues = new Map()

export function addPending(values: PendingValues, epoch: number, amount: bigint): PendingValues {
  return new Map(values).set(epoch, (values.get(epoch) ?? 0n) + amount)
}

export function reducePending(values: PendingValues, epoch: number, amount: bigint): PendingValues {
  const rest = (values.get(epoch) ?? 0n) - amount
  if (rest < 0n) throw new RangeError(`epoch ${epoch} holds less than the ${amount} to take back`)
  const reduced = new Map(values).set(epoch, rest)
  if (rest === 0n) reduced.delete(epoch)
  return reduced
}

export function sumUpTo(values: PendingValues, epoch: number): bigint {
  let sum = 0n
  for (const [due, amount] of values) if (due <= epoch) sum += amount
  return sum
}

export function sumAfter(values: PendingValues, epoch: number): bigint {
  let sum = 0n
  for (const [due, amount] of values) if (due > epoch) sum += amount
  return sum
}

export function withoutUpTo(values: PendingValues, epoch: number): PendingValues {
  return values.size === 0 ? values : new Map([...values].filter(([due]) => due > epoch))
}

/**
 * Merges all entries up to `epoch` into one, so that the map of a validator that stays out of the committee does not
 * grow with every epoch. Only the sum of what is due matters to a pool.
 */
export function foldUpTo(values: PendingValues, epoch: number): PendingValues {
  const due = [...values.keys()].filter((key) => key <= epoch).length
  return due < 2 ? values : new Map(withoutUpTo(values, epoch)).set(epoch, sumUpTo(values, epoch))
}
