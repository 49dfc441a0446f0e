import { findBestSplit, type Split, type SplitPart } from './best-split.ts'
import type { SplitProblem } from './dual-bound.ts'
import { gainOf, type RewardCurve, rewardCurve } from './reward-curve.ts'
import { fillSlots, type Slot } from './water-fill.ts'

/** Some curves that together may get this much. A curve may be in several groups. */
export type GroupCap = { readonly members: ReadonlySet<RewardCurve>; readonly most: number }

const MAX_ROUNDS = 6
const MAX_STEPS = 12
/** Below this gap, relatively, nothing is worth a further search. */
const PROVEN = 1e-7
const MAX_EXCHANGES = 600
const FEW = 4
/** A group is filled when it is this close to its cap, relatively. */
const CLOSE = 1e-9

/**
 * The best split that keeps every group within its cap. Without a violation it is the best split. Otherwise each full
 * group gets a toll that its members pay on every unit, as high as it takes to keep the group within its cap: for any
 * tolls, the best split with tolls, plus what the full groups would pay, bounds what any split can reach. The split
 * itself is then filled anew within the caps, among the curves that were chosen. Undefined when no split is found.
 */
export function findCappedSplit(problem: SplitProblem, groups: readonly GroupCap[]): Split | undefined {
  const free = findBestSplit(problem)
  if (!free || groups.length === 0 || excessOf(free.parts, groups) === undefined) return free
  const tolls = groups.map(() => 0)
  const priced = priceGroups(problem, groups, tolls, free)
  let best: Split | undefined
  for (const split of priced.candidates) {
    const filled = fillWithin(problem, groups, chosenIn(split), split)
    if (filled && (!best || filled.value > best.value)) best = filled
  }
  const bound = Math.min(priced.bound, free.bound)
  const improved = isProven(best, bound) ? best : exchange(problem, groups, best, priced.candidates, free)
  return improved && { ...improved, bound: Math.max(improved.value, bound) }
}

const isProven = (split: Split | undefined, bound: number): boolean =>
  split !== undefined && bound - split.value <= PROVEN * Math.abs(bound)

const chosenIn = ({ parts }: Split): readonly RewardCurve[] =>
  parts.filter((part) => !part.free).map(({ curve }) => curve)

/**
 * Adds and replaces chosen curves, one at a time, as long as that gains something. Straight curves take all or nothing
 * at a toll, so that the tolls alone may leave out a curve that belongs in.
 */
function exchange(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  start: Split | undefined,
  candidates: readonly Split[],
  terms: Split,
): Split | undefined {
  const entrants = entrantsFor(problem, groups, candidates)
  let best = start
  let work = 0
  const consider = (chosen: readonly RewardCurve[]): void => {
    if (chosen.length > problem.maxChosen || work++ >= MAX_EXCHANGES) return
    const filled = fillWithin(problem, groups, chosen, terms)
    if (filled && (!best || filled.value > best.value)) best = filled
  }
  for (let before: Split | undefined | null = null; before !== best && work < MAX_EXCHANGES; ) {
    before = best
    const chosen = best ? chosenIn(best) : entrants.slice(0, problem.maxChosen)
    if (!best) consider(chosen)
    for (const entrant of entrants) {
      if (chosen.includes(entrant)) continue
      consider([...chosen, entrant])
      for (const out of chosen) consider(chosen.map((curve) => (curve === out ? entrant : curve)))
    }
    for (const out of chosen) consider(chosen.filter((curve) => curve !== out))
  }
  return best
}

/** What any of the splits chose, and the best few of each group and of no group. */
function entrantsFor(
  { choices }: SplitProblem,
  groups: readonly GroupCap[],
  candidates: readonly Split[],
): readonly RewardCurve[] {
  const bestFew = (belongs: (curve: RewardCurve) => boolean): readonly RewardCurve[] =>
    choices.filter(belongs).slice(0, FEW)
  const isFree = (curve: RewardCurve): boolean => !groups.some(({ members }) => members.has(curve))
  return [
    ...new Set([
      ...candidates.flatMap(chosenIn),
      ...groups.flatMap(({ members }) => bestFew((curve) => members.has(curve))),
      ...bestFew(isFree),
    ]),
  ]
}

/** The group that is furthest beyond its cap. */
function excessOf(parts: readonly SplitPart[], groups: readonly GroupCap[]): GroupCap | undefined {
  let worst: GroupCap | undefined
  let most = 0
  for (const group of groups) {
    const excess = usageOf(parts, group) / group.most - 1
    if (excess <= Math.max(most, CLOSE)) continue
    most = excess
    worst = group
  }
  return worst
}

function usageOf(parts: readonly { curve: RewardCurve; amount: number }[], { members }: GroupCap): number {
  let sum = 0
  for (const { curve, amount } of parts) if (members.has(curve)) sum += amount
  return sum
}

/** Raises and lowers one toll after the other until the groups are within their caps, or nothing changes any more. */
function priceGroups(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  tolls: number[],
  start: Split,
): { readonly bound: number; readonly candidates: readonly Split[] } {
  const candidates: Split[] = [start]
  let bound = start.bound
  const solve = (): Split | undefined => {
    const split = solveWithTolls(problem, groups, tolls)
    if (!split) return undefined
    const paid = groups.reduce((sum, { most }, index) => sum + (tolls[index] ?? 0) * most, 0)
    bound = Math.min(bound, split.bound + paid)
    return split
  }
  let present: Split | undefined = start
  for (let round = 0; round < MAX_ROUNDS && present; round++) {
    const worst = excessOf(present.parts, groups)
    if (!worst) break
    const ends = adjustToll(tolls, groups.indexOf(worst), worst, start.price, solve)
    candidates.push(...ends)
    present = ends.at(-1)
  }
  return { bound, candidates }
}

/** Regula falsi on a group's usage, which falls as its toll rises. Returns the splits on both sides of the right toll. */
function adjustToll(
  tolls: number[],
  index: number,
  group: GroupCap,
  scale: number,
  solve: () => Split | undefined,
): readonly Split[] {
  const at = (toll: number): { readonly excess: number; readonly split: Split | undefined } => {
    tolls[index] = toll
    const split = solve()
    return { split, excess: split ? usageOf(split.parts, group) - group.most : 0 }
  }
  let low = { toll: tolls[index] ?? 0, excess: Number.POSITIVE_INFINITY }
  let step = Math.max(Math.abs(scale), 1e-9) / 8
  let high = { toll: low.toll + step, ...at(low.toll + step) }
  let before: Split | undefined
  for (let tries = 0; high.excess > CLOSE * group.most && tries < 40; tries++) {
    low = high
    before = high.split
    step *= 2
    high = { toll: high.toll + step, ...at(high.toll + step) }
  }
  for (let tries = 0; tries < MAX_STEPS && high.excess < -CLOSE * group.most; tries++) {
    const share = low.excess === Infinity || tries % 3 === 2 ? 0.5 : low.excess / (low.excess - high.excess)
    const toll = low.toll + share * (high.toll - low.toll)
    if (toll <= low.toll || toll >= high.toll) break
    const middle = { toll, ...at(toll) }
    if (middle.excess > CLOSE * group.most) {
      low = middle
      before = middle.split
    } else high = middle
  }
  tolls[index] = high.toll
  return [before, high.split].filter((split) => split !== undefined)
}

function solveWithTolls(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  tolls: readonly number[],
): Split | undefined {
  const original = new Map<RewardCurve, RewardCurve>()
  const withToll = (curve: RewardCurve): RewardCurve => {
    let toll = 0
    groups.forEach(({ members }, index) => {
      if (members.has(curve)) toll += tolls[index] ?? 0
    })
    const dearer = toll > 0 ? rewardCurve({ ...curve, cost: curve.cost + toll }) : curve
    original.set(dearer, curve)
    return dearer
  }
  const split = findBestSplit({
    ...problem,
    choices: problem.choices.map(withToll),
    free: problem.free.map((slot) => ({ ...slot, curve: withToll(slot.curve) })),
  })
  if (!split) return undefined
  const parts = split.parts.map((part) => ({ ...part, curve: original.get(part.curve) ?? part.curve }))
  return { ...split, parts }
}

/** Chosen curves, filled so that no group is beyond its cap. Price and effort are those of the split they come from. */
function fillWithin(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  chosen: readonly RewardCurve[],
  split: Split,
): Split | undefined {
  const { amount, risk, least, most, free } = problem
  const slots: Slot[] = [
    ...free,
    ...chosen.map((curve) => ({ curve, least, most: Math.min(most, curve.cap) })),
  ]
  const amounts = fillCapped(slots, amount, { risk, groups, guess: split.price })
  if (!amounts) return undefined
  const parts = slots.map(({ curve }, index) => ({
    curve,
    amount: amounts.get(curve) ?? 0,
    free: index < free.length,
  }))
  const value = parts.reduce((sum, part) => sum + gainOf(part.curve, risk, part.amount), 0)
  return { parts, value, bound: split.bound, price: split.price, nodes: split.nodes }
}

type FillTerms = { readonly risk: number; readonly groups: readonly GroupCap[]; readonly guess: number }

/**
 * Fills all slots at one price; where a group overflows, its members are filled up to its cap on their own, and the
 * rest goes to the others. Exact where full groups do not overlap: the price of the rest only falls, so that a full
 * group stays full.
 */
function fillCapped(
  slots: readonly Slot[],
  amount: number,
  { risk, groups, guess }: FillTerms,
): Map<RewardCurve, number> | undefined {
  const filling = fillSlots(slots, amount, risk, guess)
  if (!filling) return undefined
  const parts = slots.map(({ curve }, index) => ({ curve, amount: filling.amounts[index] ?? 0, free: false }))
  const full = excessOf(parts, groups)
  if (!full) return new Map(parts.map((part) => [part.curve, part.amount]))
  const others = groups.filter((group) => group !== full)
  const inside = fillCapped(
    slots.filter(({ curve }) => full.members.has(curve)),
    full.most,
    { risk, groups: others, guess },
  )
  if (!inside) return undefined
  const left = others.map(({ members, most }) => ({
    members,
    most: most - [...inside].reduce((sum, [curve, part]) => sum + (members.has(curve) ? part : 0), 0),
  }))
  const outside = fillCapped(
    slots.filter(({ curve }) => !full.members.has(curve)),
    amount - full.most,
    { risk, groups: left, guess },
  )
  return outside && new Map([...inside, ...outside])
}
