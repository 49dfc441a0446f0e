import { nearestName } from '@stakewright/contract'

/** “Did you mean …?” with the closest known name; empty if none is close. */
export const didYouMean = (typed: string, known: readonly string[], prefix = ''): string => {
  const name = nearestName(typed, known)
  return name === undefined ? '' : ` Did you mean ${prefix}${name}?`
}
