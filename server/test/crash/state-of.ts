/** A text of several database pages that repeats its version, so that a torn write is recognised. */
export function stateOf(version: number): string {
  return `${version} `.repeat(3_000)
}
