/**
 * Assigns each name a colour number below `places`: by its position in `known`, or the next free number if an earlier
 * name has that. So a name has the same colour wherever it is shown, as far as there are enough colours.
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
