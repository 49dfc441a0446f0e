/** Computes the value of each epoch once. */
export function rememberEpochs<T>(make: (epoch: number) => T): (epoch: number) => T {
  const known = new Map<number, T>()
  return (epoch) => {
    const value = known.get(epoch) ?? make(epoch)
    known.set(epoch, value)
    return value
  }
}
