import { nearestName } from '@stakewright/contract'

/** A question that leads from a mistyped name to the known one; empty when none is close. */
export const meant = (typed: string, known: readonly string[], prefix = ''): string => {
  const name = nearestName(typed, known)
  return name === undefined ? '' : ` Did you mean ${prefix}${name}?`
}
