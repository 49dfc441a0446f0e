import type { Input } from '@stakewright/client'
import type { Validator } from '../queries.ts'

type Ask = Input<'allocate'>
type Candidate = Pick<Validator, 'id' | 'score' | 'ineligible'>

/** The API takes at most this many excluded ids. */
const MAX_EXCLUDED = 100

/**
 * The request for an allocation of the whole amount to one validator. Validators with a lower score are excluded by
 * `minScore`, so that the list of excluded ids stays short; `undefined` if too many have a higher score.
 */
export function askForOne(one: Candidate, all: readonly Candidate[], input: Ask): Ask | undefined {
  const { owner: _, groups: __, maxShare: ___, ...plain } = input
  const others = all.filter(({ id, ineligible }) => id !== one.id && ineligible.length === 0)
  // Published scores are rounded: the bound lies a little below.
  const minScore = Math.max(input.minScore ?? 0, Math.floor(((one.score ?? 0) - 0.1) * 10) / 10, 0)
  const better = others.filter(({ score }) => (score ?? 0) >= minScore).map(({ id }) => id)
  if (better.length > MAX_EXCLUDED) return undefined
  return { ...plain, minScore, maxValidators: 1, exclude: better, explain: false, alternatives: false }
}

/** Its place by score among those that may be chosen, from 1. */
export const rankOf = (one: Candidate, all: readonly Candidate[]): number =>
  all.filter(({ score, ineligible }) => ineligible.length === 0 && (score ?? 0) > (one.score ?? 0)).length + 1
