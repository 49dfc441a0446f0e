/** The known name that a mistyped one most likely means; undefined when none is close. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const distances = known.map((name) => ({ name, distance: editDistance(typed, name) }))
  const [nearest] = distances.sort((a, b) => a.distance - b.distance)
  return nearest && nearest.distance <= Math.max(1, Math.floor(typed.length / 3)) ? nearest.name : undefined
}

export const meant = (typed: string, known: readonly string[], prefix = ''): string => {
  const name = nearestName(typed, known)
  return name === undefined ? '' : ` Did you mean ${prefix}${name}?`
}

/** Letters to add, drop or replace to get from one to the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
