/** Memoizes by identity, so that dependants re-render only when the object changes. */
export function memoize<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, { readonly made: To }>()
  return (from) => {
    const entry = known.get(from) ?? { made: make(from) }
    known.set(from, entry)
    return entry.made
  }
}
