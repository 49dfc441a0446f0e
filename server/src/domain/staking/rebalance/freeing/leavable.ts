import { smaller } from '../../../amount.ts'
import { compare } from '../../../compare.ts'
import type { StakeOptions } from '../../stake-options.ts'
import { type HeldToken, partOfToken, type TokenPart, tokenValue, wholeToken } from '../held-token.ts'
import type { Keep } from '../places/keep.ts'

/** All amounts between two bounds, both included. */
export type Span = { readonly from: bigint; readonly to: bigint }

const NOTHING: Span = { from: 0n, to: 0n }
/** Limits the spans of a validator: many small tokens of different values have too many different sums. */
const MAX_SPANS = 64

/**
 * The amounts that can leave a validator, in ascending order: sums of whole tokens and parts, where neither a part nor
 * the rest of its token may be below the smallest stake. If the validator would fall below the joining stake, either
 * enough stays or (if the chain lets its set change) everything leaves. Amounts are values: principal and rewards.
 */
export function leavableAmounts(market: StakeOptions, { option, staked, tokens }: Keep): readonly Span[] {
  const spans = tokens.reduce<readonly Span[]>(
    (sums, token) => withToken(sums, token, market.minStake),
    [NOTHING],
  )
  const spare = option.stake - market.minValidatorStake
  if (!option.inSet || spare < 0n || spare >= staked) return spans
  const within = spans
    .filter(({ from }) => from <= spare)
    .map(({ from, to }) => ({ from, to: smaller(to, spare) }))
  return market.removalsLeft > 0 ? [...within, { from: staked, to: staked }] : within
}

/** Parts of tokens that add up to an amount; undefined if there are none. */
export function partsAddingUp(
  tokens: readonly HeldToken[],
  amount: bigint,
  least: bigint,
): readonly TokenPart[] | undefined {
  const largestFirst = tokens.toSorted((a, b) => compare(tokenValue(b), tokenValue(a)))
  let sums: readonly Span[] = [NOTHING]
  // For each token, the sums of all after it: one pass from the end.
  const after = largestFirst
    .toReversed()
    .map((token) => {
      const later = sums
      sums = withToken(sums, token, least)
      return later
    })
    .toReversed()
  const parts: TokenPart[] = []
  let missing = amount
  for (const [index, token] of largestFirst.entries()) {
    const rest = after[index] ?? []
    const value = tokenValue(token)
    if (within(rest, missing, missing) !== undefined) continue
    if (value <= missing && within(rest, missing - value, missing - value) !== undefined) {
      parts.push(wholeToken(token))
      missing -= value
      continue
    }
    const span = partSpan(token, least)
    const left = span && within(rest, missing - span.to, missing - span.from)
    if (left === undefined) return undefined
    // The part is rounded up, so `left` stays an amount that the other tokens can add up to.
    parts.push(partWorth(token, missing - left, least))
    missing = left
  }
  return parts
}

/** The largest amount between `from` and `to` that lies in a span. */
function within(spans: readonly Span[], from: bigint, to: bigint): bigint | undefined {
  const span = spans.findLast((one) => one.from <= to && one.to >= from)
  return span && smaller(span.to, to)
}

/** The part that is worth at least `value`, as small as possible. */
function partWorth(token: HeldToken, value: bigint, least: bigint): TokenPart {
  const most = token.principal - least
  const about = (value * token.principal) / tokenValue(token)
  const principal = about < least ? least : about
  const part = partOfToken(token, principal)
  return tokenValue(part) < value && principal < most ? partOfToken(token, principal + 1n) : part
}

function partSpan(token: HeldToken, least: bigint): Span | undefined {
  if (token.principal < 2n * least) return undefined
  const [from, to] = [least, token.principal - least].map((principal) =>
    tokenValue(partOfToken(token, principal)),
  )
  return from !== undefined && to !== undefined ? { from, to } : undefined
}

/** The sums that are possible with one more token: without it, with a part of it, with all of it. */
function withToken(sums: readonly Span[], token: HeldToken, least: bigint): readonly Span[] {
  const value = tokenValue(token)
  const parts = [NOTHING, partSpan(token, least) ?? [], { from: value, to: value }].flat()
  return merge(
    sums.flatMap((sum) => parts.map(({ from, to }) => ({ from: sum.from + from, to: sum.to + to }))),
  )
}

/**
 * Merges spans that touch. If too many remain, the narrowest gaps are closed, too: their amounts count as possible.
 */
function merge(spans: readonly Span[]): readonly Span[] {
  const inOrder = spans.toSorted((a, b) => compare(a.from, b.from))
  const merged = mergeGapsUpTo(1n, inOrder)
  if (merged.length <= MAX_SPANS) return merged
  const gaps = merged.slice(1).map(({ from }, index) => from - (merged[index]?.to ?? 0n))
  const widest = gaps.toSorted(compare).at(-MAX_SPANS) ?? 0n
  return mergeGapsUpTo(widest, merged)
}

function mergeGapsUpTo(width: bigint, spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (!last || span.from - last.to > width) merged.push(span)
    else if (span.to > last.to) merged[merged.length - 1] = { from: last.from, to: span.to }
  }
  return merged
}
