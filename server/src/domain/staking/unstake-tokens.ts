/** A staked token as the caller names it. */
export type Position = {
  readonly stakedTokenId: string
  readonly validatorId: string
  readonly principal: bigint
}

export type TokenPart = { readonly position: Position; readonly amount: bigint }

/**
 * The tokens, whole or in part, that free about `wanted` of one validator's stake with the fewest transactions: the
 * largest first, and at most one of them split. The network holds no part smaller than `least`: a token that would
 * keep less goes whole, and a part smaller than that is not taken.
 */
export function chooseTokens(
  positions: readonly Position[],
  wanted: bigint,
  least: bigint,
): readonly TokenPart[] {
  const largestFirst = positions.toSorted((a, b) =>
    a.principal === b.principal
      ? compare(a.stakedTokenId, b.stakedTokenId)
      : a.principal < b.principal
        ? 1
        : -1,
  )
  const parts: TokenPart[] = []
  let missing = wanted
  for (const position of largestFirst) {
    if (position.principal > missing) continue
    parts.push({ position, amount: position.principal })
    missing -= position.principal
  }
  if (missing < least) return parts
  const taken = new Set(parts.map(({ position }) => position))
  const left = largestFirst.filter((position) => !taken.has(position))
  // What is left is larger than what is missing. The smallest that can be split is; if none can, one goes whole.
  const divisible = left.findLast(({ principal }) => principal - missing >= least)
  if (divisible) return [...parts, { position: divisible, amount: missing }]
  const whole = left.at(-1)
  return whole ? [...parts, { position: whole, amount: whole.principal }] : parts
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
