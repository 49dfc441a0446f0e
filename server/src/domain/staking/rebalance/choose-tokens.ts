import { smaller } from '../../amount.ts'
import { compare } from '../../compare.ts'
import { equalParts, isMovable, type TransactionSize, transactionsFor } from '../transaction-parts.ts'
import { type HeldToken, partOfToken, type TokenPart, tokenValue, wholeToken } from './held-token.ts'

export type TokenLimits = {
  /** The smallest principal that the network lets a token have. */
  readonly least: bigint
  /** The upper bound of the value that may leave. */
  readonly most: bigint
}

/**
 * The tokens, whole or in part, that free about `wanted` of one validator's stake. Greedy, for few transactions: the
 * largest tokens first, and at most one of them split. Neither the part split off nor its rest may be below `least`;
 * if no token can be split, the smallest remaining one goes whole if `most` allows it, else all of it but `least`.
 * Amounts are values: principal and rewards.
 */
export function chooseTokens(
  tokens: readonly HeldToken[],
  wanted: bigint,
  { least, most }: TokenLimits,
): readonly TokenPart[] {
  const largestFirst = tokens.toSorted(
    (a, b) => compare(tokenValue(b), tokenValue(a)) || compare(a.stakedTokenId, b.stakedTokenId),
  )
  const whole: HeldToken[] = []
  let missing = wanted
  for (const token of largestFirst) {
    if (tokenValue(token) > missing) continue
    whole.push(token)
    missing -= tokenValue(token)
  }
  const parts = whole.map(wholeToken)
  const left = largestFirst.filter((token) => !whole.includes(token))
  // All remaining tokens exceed the missing amount, so the smallest divisible one is split.
  const divisible = left.findLast((token) => canSplit(token, principalFor(token, missing), least))
  if (divisible) return [...parts, partFor(divisible, missing, most - (wanted - missing), least)]
  const smallest = left.at(-1)
  if (!smallest || principalFor(smallest, missing) < least) return parts
  const overshoot = tokenValue(smallest) - missing
  if (wanted + overshoot <= most) return [...parts, wholeToken(smallest)]
  const rest = smallest.principal - least
  return rest >= least ? [...parts, partOfToken(smallest, rest)] : parts
}

/**
 * Divides a part into parts that one transaction each may take. A part that is too large for one transaction and too
 * small for two is taken only in part. Every part, and the rest of the token, is `least` or more.
 */
export function inTransactions(part: TokenPart, { least, most }: TransactionSize): readonly TokenPart[] {
  if (part.principal <= most) return [part]
  const principal = mostMovable(part, { least, most })
  if (principal === 0n) return []
  const { token } = part
  let taken = partOfToken(token, 0n)
  // Each part has the difference of two roundings: together they have all rewards, and none has more than a unit too much.
  return equalParts(principal, transactionsFor(principal, most)).map((size) => {
    const before = taken
    taken = partOfToken(token, before.principal + size)
    return { token, principal: size, rewards: taken.rewards - before.rewards, endsToken: taken.endsToken }
  })
}

/** The largest principal of a part that transactions of this size can take. */
function mostMovable({ principal, endsToken }: TokenPart, size: TransactionSize): bigint {
  const { least, most } = size
  if (isMovable(principal, size)) return principal
  if (most < least) return 0n
  const count = transactionsFor(principal, most)
  // The rest of the token must be large enough for a token of its own.
  const movable = endsToken ? smaller((count - 2n) * most, principal - least) : (count - 1n) * most
  return isMovable(movable, size) ? movable : 0n
}

/** The largest principal whose value (with its rewards) is at most `value`. */
const principalFor = (token: HeldToken, value: bigint): bigint =>
  (value * token.principal) / tokenValue(token)

/** The part that is worth `value`, rounded up if that is within `most`, otherwise rounded down. */
function partFor(token: HeldToken, value: bigint, most: bigint, least: bigint): TokenPart {
  const below = partOfToken(token, principalFor(token, value))
  if (tokenValue(below) >= value || !canSplit(token, below.principal + 1n, least)) return below
  const above = partOfToken(token, below.principal + 1n)
  return tokenValue(above) <= most ? above : below
}

const canSplit = ({ principal }: HeldToken, part: bigint, least: bigint): boolean =>
  part >= least && principal - part >= least
