/** The same result for the same object: what is drawn from it is drawn anew only when it changes. */
export function memoize<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, { readonly made: To }>()
  return (from) => {
    const entry = known.get(from) ?? { made: make(from) }
    known.set(from, entry)
    return entry.made
  }
}
