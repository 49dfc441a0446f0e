import { smaller } from '../../amount.ts'
import { type HeldToken, partOfToken, type TokenPart, tokenValue, wholeToken } from './held-token.ts'

export type TokenLimits = {
  /** The smallest principal that the network lets a token have. */
  readonly least: bigint
  /** The most value that may leave. */
  readonly most: bigint
  /** The most principal that may be taken from one token at a time; left out: all of it. */
  readonly mostTaken?: bigint | undefined
}

/**
 * The tokens, whole or in part, that free about `wanted` of one validator's stake with the fewest transactions: the
 * largest first, and at most one of them split. A token that would keep less than `least` goes whole if `most` allows
 * it, and a smaller part is not taken. Of a token with more than may be taken at a time, a part is. Amounts are values:
 * principal and rewards.
 */
export function chooseTokens(
  tokens: readonly HeldToken[],
  wanted: bigint,
  { least, most, mostTaken }: TokenLimits,
): readonly TokenPart[] {
  const largestFirst = tokens.toSorted(
    (a, b) => compare(tokenValue(b), tokenValue(a)) || compare(a.stakedTokenId, b.stakedTokenId),
  )
  const isTooLarge = ({ principal }: HeldToken) => mostTaken !== undefined && principal > mostTaken
  const cut: TokenPart[] = []
  const whole: HeldToken[] = []
  let missing = wanted
  for (const token of largestFirst) {
    if (isTooLarge(token)) {
      const part = partOfToken(token, smaller(mostTaken ?? 0n, principalFor(token, missing)))
      if (!canSplit(token, part.principal, least)) continue
      cut.push(part)
      missing -= tokenValue(part)
      continue
    }
    if (tokenValue(token) > missing) continue
    whole.push(token)
    missing -= tokenValue(token)
  }
  const parts = [...cut, ...whole.map(wholeToken)]
  const left = largestFirst.filter((token) => !whole.includes(token) && !isTooLarge(token))
  // All remaining tokens exceed the missing amount, so the smallest divisible one is split.
  const divisible = left.findLast((token) => canSplit(token, principalFor(token, missing), least))
  if (divisible) return [...parts, partFor(divisible, missing, most - (wanted - missing), least)]
  const smallest = left.at(-1)
  if (!smallest || principalFor(smallest, missing) < least) return parts
  const overshoot = tokenValue(smallest) - missing
  return wanted + overshoot <= most ? [...parts, wholeToken(smallest)] : parts
}

/** The principal whose value, with its rewards, is at most `value`. */
const principalFor = (token: HeldToken, value: bigint): bigint =>
  (value * token.principal) / tokenValue(token)

/** The part that is worth `value`: rounded up to it where that is within `most`, otherwise the next below. */
function partFor(token: HeldToken, value: bigint, most: bigint, least: bigint): TokenPart {
  const below = partOfToken(token, principalFor(token, value))
  if (tokenValue(below) >= value || !canSplit(token, below.principal + 1n, least)) return below
  const above = partOfToken(token, below.principal + 1n)
  return tokenValue(above) <= most ? above : below
}

const canSplit = ({ principal }: HeldToken, part: bigint, least: bigint): boolean =>
  part >= least && principal - part >= least

const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
