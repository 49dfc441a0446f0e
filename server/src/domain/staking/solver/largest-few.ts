type LargestFew<T> = {
  readonly offer: (value: number, item: T) => void
  /**
   * A value is kept only if it exceeds the threshold: `floor` until `count` items are kept, then the lowest of
   * them.
   */
  readonly threshold: () => number
  /** The largest first. */
  readonly kept: readonly { readonly value: number; readonly item: T }[]
}

/** Keeps the `count` items with the largest values above `floor`. Ties go to the item that was offered first. */
export function largestFew<T>(count: number, floor: number): LargestFew<T> {
  const kept: { readonly value: number; readonly item: T }[] = []
  const threshold = (): number => {
    if (count <= 0) return Number.POSITIVE_INFINITY
    return kept.length < count ? floor : (kept.at(-1)?.value ?? floor)
  }
  const offer = (value: number, item: T): void => {
    if (value <= threshold()) return
    if (kept.length === count) kept.pop()
    let place = kept.length
    for (let before = kept[place - 1]; before && before.value < value; before = kept[place - 1]) {
      kept[place] = before
      place--
    }
    kept[place] = { value, item }
  }
  return { offer, threshold, kept }
}
