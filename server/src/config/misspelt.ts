import { editDistance } from '@stakewright/contract'
import { VARIABLES } from './variables.ts'

/** A variable that the service does not know, and the one that is probably meant. */
export type Misspelt = { readonly name: string; readonly meant: string }

const MOST_EDITS = 2
/** In shorter names two edits make another word, such as POST or GHOST. */
const SHORTEST = 8

/**
 * The given variables that are unknown and one or two edits from a known one: such a setting would be without effect
 * and without a word. Their values are not looked at, because they may be secrets.
 */
export function misspeltIn(given: readonly string[]): readonly Misspelt[] {
  const known = Object.keys(VARIABLES)
  const long = known.filter(({ length }) => length >= SHORTEST)
  return given
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = long.find((one) => isNear(name.toUpperCase(), one))
      return meant === undefined ? [] : [{ name, meant }]
    })
}

const isNear = (name: string, known: string): boolean =>
  Math.abs(name.length - known.length) <= MOST_EDITS && editDistance(name, known) <= MOST_EDITS
