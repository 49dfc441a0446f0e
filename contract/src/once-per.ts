/** Caches the result for each object. */
export function oncePer<From extends object, To>(convert: (from: From) => To): (from: From) => To {
  const converted = new WeakMap<From, { readonly to: To }>()
  return (from) => {
    const known = converted.get(from) ?? { to: convert(from) }
    converted.set(from, known)
    return known.to
  }
}
