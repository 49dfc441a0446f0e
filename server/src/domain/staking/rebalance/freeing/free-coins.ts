import { larger, smaller } from '../../../amount.ts'
import type { Split } from '../../solver/best-split.ts'
import { takeHighest } from '../../solver/branching.ts'
import { halfOf, type SearchWork } from '../../solver/capped/search-work.ts'
import type { RewardCurve } from '../../solver/reward-curve.ts'
import type { Slot } from '../../solver/water-fill.ts'
import type { StakeOptions } from '../../stake-options.ts'
import { type Keep, remainingStake } from '../places/keep.ts'
import type { RebalanceProblem } from '../problem.ts'
import { leavableAmounts, type Span } from './leavable.ts'

/**
 * After this many cases, or without work left, the search ends with the best split so far; the open cases determine its
 * bound.
 */
const MAX_CASES = 100
/** A relative gap below this is float rounding. */
const TOLERANCE = 1e-12

/** A split, and the amount that leaves each validator for it. */
export type Freeing = { readonly split: Split; readonly leaves: ReadonlyMap<Keep, bigint> }

/**
 * A branch: ranges of the amounts that may leave validators, and the surplus coins that may then stay in the
 * wallet.
 */
type Case = {
  readonly ranges: ReadonlyMap<Keep, Span>
  readonly spare: bigint
  readonly bound: number
  /** A lower bound of the stake that stays beyond the caller's limits. */
  readonly beyond: number
}

type Search = {
  readonly solve: (problem: RebalanceProblem, work: SearchWork) => Split | undefined
  readonly work: SearchWork
}

/**
 * The best split that frees coins only by amounts that can leave, because tokens cannot be split below the smallest
 * stake. Branch and bound: if the relaxed split takes an amount that cannot leave, it branches into at most the
 * nearest possible amount below and at least the one above; surplus coins of the latter may stay in the wallet. A
 * validator that stake leaves gets none. Limits come before gains: of two cases, the one with less stake beyond them
 * is better. The bound holds for all plans that leave no more beyond the limits and from which no part can be dropped
 * without freeing too little.
 */
export function freeCoins(
  market: StakeOptions,
  problem: RebalanceProblem,
  { solve, work }: Search,
): Freeing | undefined {
  const spansOf = new Map(problem.keeps.map((keep) => [keep, leavableAmounts(market, keep)]))
  const all = new Map([...spansOf].map(([keep, spans]) => [keep, { from: 0n, to: mostLeaving(keep, spans) }]))
  const waiting: Case[] = [{ ranges: all, spare: 0n, bound: Number.POSITIVE_INFINITY, beyond: 0 }]
  const { close, beyondIn } = beyondOf(problem)
  let best: (Freeing & { readonly beyond: number }) | undefined
  let cases = 0
  const settled: Pick<Case, 'bound' | 'beyond'>[] = []
  const isHopeless = ({ bound, beyond }: Pick<Case, 'bound' | 'beyond'>): boolean => {
    if (!best || beyond < best.beyond - close) return false
    const { value } = best.split
    return beyond > best.beyond + close || bound <= value + TOLERANCE * Math.abs(value)
  }
  while (cases < MAX_CASES && work.units > 0) {
    // Depth first until a split is found.
    const next = best ? takeBest(waiting, close) : waiting.pop()
    if (!next) break
    if (isHopeless(next)) continue
    cases++
    const half = halfOf(work)
    const split = solve(narrowed(problem, next), half)
    // Without work left, no split was found, but there may be one.
    if (!split && half.units <= 0) settled.push(next)
    if (!split) continue
    const here = { bound: Math.min(next.bound, split.bound), beyond: beyondIn(split) }
    if (isHopeless(here)) continue
    const leaving = problem.keeps.map((keep) => leavingIn(problem, split, keep, spansOf.get(keep) ?? []))
    const gap = widestGap(leaving)
    if (gap) {
      waiting.push(...branchOn({ ...next, ...here }, gap))
      continue
    }
    settled.push(here)
    if (best && here.beyond >= best.beyond - close && best.split.value >= split.value) continue
    best = { split, beyond: here.beyond, leaves: new Map(leaving.map(({ keep, amount }) => [keep, amount])) }
  }
  if (!best) return undefined
  const { beyond, ...found } = best
  const bound = [...waiting, ...settled].reduce(
    (high, one) => (one.beyond <= beyond + close ? Math.max(high, one.bound) : high),
    found.split.value,
  )
  return { ...found, split: { ...found.split, bound, nodes: cases } }
}

/**
 * A function for the stake that a split leaves beyond the caller's limits, and the tolerance for comparing such
 * amounts.
 */
function beyondOf({ keeps, split: { amount } }: RebalanceProblem) {
  const above = new Set(keeps.flatMap(({ beyond }) => beyond?.curve ?? []))
  const beyondIn = ({ parts }: Split): number =>
    parts.reduce((sum, part) => (above.has(part.curve) ? sum + part.amount : sum), 0)
  return { close: 1e-9 * amount, beyondIn }
}

/** Removes and returns the case with the least stake beyond the limits; ties go to the highest bound. */
function takeBest(waiting: Case[], close: number): Case | undefined {
  const least = waiting.reduce((low, { beyond }) => Math.min(low, beyond), Number.POSITIVE_INFINITY)
  const first = takeHighest(waiting.filter(({ beyond }) => beyond <= least + close))
  if (first) waiting.splice(waiting.indexOf(first), 1)
  return first
}

/** The most that can leave, or that must leave by the caller's limits. */
const mostLeaving = ({ staked, allowed }: Keep, spans: readonly Span[]): bigint =>
  larger(spans.at(-1)?.to ?? staked, staked - allowed)

/** The problem of one case. */
function narrowed(problem: RebalanceProblem, { ranges, spare }: Case): RebalanceProblem {
  const { split, targets } = problem
  const slots = new Map([...ranges].flatMap(([keep, range]) => slotsWithin(keep, range)))
  const left = new Set([...ranges].flatMap(([{ option }, { from }]) => (from > 0n ? [option] : [])))
  const choices = targets.filter(({ option }) => !left.has(option)).map(({ curve }) => curve)
  const wallet = split.free.length - 1
  const free = split.free.map((slot, index) =>
    index === wallet ? { ...slot, most: slot.most + Number(spare) } : (slots.get(slot.curve) ?? slot),
  )
  return {
    ...problem,
    split: { ...split, free, choices, maxChosen: Math.min(split.maxChosen, choices.length) },
  }
}

/**
 * Narrows the slots of a holding to a range of leaving amounts. Stake beyond the limits leaves first, costly stake
 * last.
 */
function slotsWithin({ staked, places, beyond }: Keep, { from, to }: Span): readonly [RewardCurve, Slot][] {
  let [least, most] = [Number(staked - to), Number(staked - from)]
  return [...places, ...(beyond ? [beyond] : [])].map((slot) => {
    const here = {
      ...slot,
      least: Math.max(slot.least, Math.min(slot.most, least)),
      most: Math.min(slot.most, most),
    }
    if (slot === beyond) here.least = slot.least
    least = Math.max(0, least - slot.most)
    most = Math.max(0, most - slot.most)
    return [slot.curve, here]
  })
}

type Leaving = {
  readonly keep: Keep
  readonly amount: bigint
  /** Undefined if the amount can leave. */
  readonly gap: Gap | undefined
}

/** The nearest amounts that can leave, below and above one that cannot, and the distance to the nearer one. */
type Gap = { readonly keep: Keep; readonly below: bigint; readonly above: bigint; readonly width: bigint }

/**
 * The amount that a split takes out of a holding, snapped within float rounding to one that can leave, or else its
 * gap.
 */
function leavingIn({ targets }: RebalanceProblem, split: Split, keep: Keep, spans: readonly Span[]): Leaving {
  const amount = keep.staked - remainingStake(keep, split)
  const close = BigInt(Math.ceil(TOLERANCE * Number(keep.staked))) + 1n
  const here = spans.find(({ from, to }) => amount >= from - close && amount <= to + close)
  const [below, above] = [spans.findLast(({ to }) => to < amount), spans.find(({ from }) => from > amount)]
  if (!here) {
    if (!below || !above) return { keep, amount, gap: undefined }
    const width = smaller(amount - below.to, above.from - amount)
    return { keep, amount, gap: { keep, below: below.to, above: above.from, width } }
  }
  const near = larger(here.from, smaller(amount, here.to))
  const own = targets.find(({ option }) => option === keep.option)?.curve
  const isFilled = split.parts.some(({ curve, free, amount }) => curve === own && !free && amount > 0)
  const least = spans.find(({ from }) => from > 0n)?.from
  if (near === 0n || !isFilled || least === undefined) return { keep, amount: near, gap: undefined }
  return { keep, amount: near, gap: { keep, below: 0n, above: least, width: near } }
}

const widestGap = (leaving: readonly Leaving[]): Gap | undefined =>
  leaving.reduce<Gap | undefined>(
    (widest, { gap }) => (gap && (!widest || gap.width > widest.width) ? gap : widest),
    undefined,
  )

/** The likelier case comes last, because a stack takes it first. */
function branchOn(before: Case, { keep, below, above }: Gap): readonly Case[] {
  const { ranges, spare } = before
  const range = ranges.get(keep) ?? { from: 0n, to: keep.staked }
  const less = { ...before, ranges: new Map([...ranges, [keep, { ...range, to: below }]]) }
  const more = {
    ...before,
    ranges: new Map([...ranges, [keep, { ...range, from: above }]]),
    spare: spare + above - below,
  }
  const mayBeLess = below >= range.from && keep.staked - below <= keep.allowed
  return [...(mayBeLess ? [less] : []), ...(above <= range.to ? [more] : [])]
}
