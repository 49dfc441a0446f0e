/**
 * A place among `places` for each name: its own, by its place in `known`, or the next free one where a commoner name
 * has that. So a name has the same colour wherever it is shown, as far as there are colours.
 */
export function placesOf(
  names: readonly string[],
  known: readonly string[],
  places: number,
): ReadonlyMap<string, number> {
  const taken = new Map<string, number>()
  for (const name of names.slice(0, places)) {
    let place = Math.max(0, known.indexOf(name)) % places
    while ([...taken.values()].includes(place)) place = (place + 1) % places
    taken.set(name, place)
  }
  return taken
}
