/** A cache whose values have at most this size in all, in the unit of the caller. When it is full, it is emptied. */
export function sizedCache<Key, Value>(most: number) {
  const known = new Map<Key, { readonly value: Value; readonly size: number }>()
  let total = 0
  return {
    get: (key: Key): Value | undefined => known.get(key)?.value,
    set(key: Key, value: Value, size: number): void {
      total -= known.get(key)?.size ?? 0
      if (total + size > most) {
        known.clear()
        total = 0
      }
      known.set(key, { value, size })
      total += size
    },
  }
}
