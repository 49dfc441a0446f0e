/** A text over several pages that belongs to one version: half of one and half of another is recognised. */
export function stateOf(version: number): string {
  return `${version} `.repeat(3_000)
}
