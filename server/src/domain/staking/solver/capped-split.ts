import { findBestSplit, type Split, type SplitPart } from './best-split.ts'
import { type CappedFilling, fillCapped, type GroupCap, isWithin } from './capped-fill.ts'
import type { SplitProblem } from './dual-bound.ts'
import { gainOf, type RewardCurve, rewardCurve } from './reward-curve.ts'

export type { GroupCap } from './capped-fill.ts'

/** Rounds of tolls: each solves the problem once. Two or three nearly always settle it. */
const MAX_ROUNDS = 8
/** Below this gap, relatively, nothing is worth a further search. */
const PROVEN = 1e-9
const MAX_EXCHANGES = 600
const FEW = 4

type Filled = CappedFilling & { readonly chosen: readonly RewardCurve[]; readonly value: number }

/**
 * The best split that keeps every group within its cap. Without a violation it is the best split. Otherwise the curves
 * that were chosen are filled within the caps; that shows what a unit is worth more inside a full group than outside.
 * This difference is a toll: with it on every unit of the group, the best split without caps keeps them. For any tolls
 * that split, plus what full groups would pay, bounds what any split can reach. Where both meet, the split is proven
 * optimal. Undefined when no split is found.
 */
export function findCappedSplit(problem: SplitProblem, groups: readonly GroupCap[]): Split | undefined {
  const free = findBestSplit(problem)
  if (!free || groups.length === 0 || isWithin(free.parts, groups)) return free
  const seen = new Set<RewardCurve>(chosenIn(free))
  let best: Filled | undefined
  let bound = free.bound
  let chosen = chosenIn(free)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const filled =
      fillChosen(problem, groups, chosen, free.price) ??
      fillChosen(problem, groups, roomyChoice(problem, groups), free.price)
    if (filled && (!best || filled.value > best.value)) best = filled
    const tolled = solveWithTolls(problem, groups, filled?.tolls ?? steepTolls(groups, free, round))
    if (!tolled) break
    bound = Math.min(bound, tolled.bound)
    if (best && isProven(best.value, bound)) break
    const next = chosenIn(tolled)
    for (const curve of next) seen.add(curve)
    if (filled && isSameChoice(next, chosen)) break
    chosen = next
  }
  if (!best || !isProven(best.value, bound)) best = exchange(problem, groups, best, seen, free.price)
  return best && toSplit(problem, best, Math.max(best.value, bound), free)
}

const isProven = (value: number, bound: number): boolean => bound - value <= PROVEN * Math.abs(bound)

const chosenIn = ({ parts }: { readonly parts: readonly SplitPart[] }): readonly RewardCurve[] =>
  parts.filter((part) => !part.free).map(({ curve }) => curve)

const isSameChoice = (a: readonly RewardCurve[], b: readonly RewardCurve[]): boolean =>
  a.length === b.length && a.every((curve) => b.includes(curve))

/** The curves whose first unit is worth most, as many as it takes to hold the amount within the caps. */
function roomyChoice({ amount, choices, most, maxChosen, free }: SplitProblem, groups: readonly GroupCap[]) {
  const left = new Map(groups.map((group) => [group, group.most]))
  const chosen: RewardCurve[] = []
  let missing = amount - free.reduce((sum, slot) => sum + slot.most, 0)
  for (const curve of choices) {
    if (missing <= 0 || chosen.length === maxChosen) break
    const own = groups.filter(({ members }) => members.has(curve))
    const room = Math.min(most, curve.cap, missing, ...own.map((group) => left.get(group) ?? 0))
    // What would fill the places with little is passed over when the rest could not hold the amount.
    if (room <= 0 || (maxChosen - chosen.length - 1) * most < missing - room) continue
    chosen.push(curve)
    missing -= room
    for (const group of own) left.set(group, (left.get(group) ?? 0) - room)
  }
  return chosen
}

/** Where the chosen curves cannot hold the amount within the caps, ever higher tolls lead to others. */
const steepTolls = (groups: readonly GroupCap[], { price }: Split, round: number): Tolls =>
  new Map(groups.map((group) => [group, (Math.abs(price) * 2 ** round) / 8]))

type Tolls = ReadonlyMap<GroupCap, number>

/** The best split when members of groups pay tolls; its bound counts the tolls of full groups as income. */
function solveWithTolls(problem: SplitProblem, groups: readonly GroupCap[], tolls: Tolls): Split | undefined {
  const charged = new Map<RewardCurve, number>()
  let income = 0
  for (const group of groups) {
    const toll = Math.max(0, tolls.get(group) ?? 0)
    if (toll === 0) continue
    income += toll * group.most
    for (const curve of group.members) charged.set(curve, (charged.get(curve) ?? 0) + toll)
  }
  const original = new Map<RewardCurve, RewardCurve>()
  const withToll = (curve: RewardCurve): RewardCurve => {
    const toll = charged.get(curve)
    if (toll === undefined) return curve
    const dearer = rewardCurve({ ...curve, cost: curve.cost + toll })
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
  return { ...split, parts, bound: split.bound + income }
}

/** Chosen curves and free slots, filled so that no group is beyond its cap. */
function fillChosen(
  { amount, risk, least, most, free }: SplitProblem,
  groups: readonly GroupCap[],
  chosen: readonly RewardCurve[],
  guess: number,
): Filled | undefined {
  const slots = [...free, ...chosen.map((curve) => ({ curve, least, most: Math.min(most, curve.cap) }))]
  const filling = fillCapped(slots, amount, { risk, groups, guess })
  if (!filling) return undefined
  let value = 0
  for (const { curve } of slots) value += gainOf(curve, risk, filling.amounts.get(curve) ?? 0)
  return { ...filling, chosen, value }
}

/**
 * Adds and replaces chosen curves, one at a time, as long as that gains something. Straight curves take all or nothing
 * at a toll, so that the tolls alone may leave out a curve that belongs in.
 */
function exchange(
  problem: SplitProblem,
  groups: readonly GroupCap[],
  start: Filled | undefined,
  seen: ReadonlySet<RewardCurve>,
  guess: number,
): Filled | undefined {
  const entrants = entrantsFor(problem, groups, seen)
  let best = start
  let work = 0
  const consider = (chosen: readonly RewardCurve[]): void => {
    if (chosen.length > problem.maxChosen || work++ >= MAX_EXCHANGES) return
    const filled = fillChosen(problem, groups, chosen, guess)
    if (filled && (!best || filled.value > best.value)) best = filled
  }
  for (let before: Filled | undefined | null = null; before !== best && work < MAX_EXCHANGES; ) {
    before = best
    const chosen = best?.chosen ?? entrants.slice(0, problem.maxChosen)
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

/** What was chosen at any tolls, and the best few of each group and of no group. */
function entrantsFor(
  { choices }: SplitProblem,
  groups: readonly GroupCap[],
  seen: ReadonlySet<RewardCurve>,
): readonly RewardCurve[] {
  const bestFew = (belongs: (curve: RewardCurve) => boolean): readonly RewardCurve[] =>
    choices.filter(belongs).slice(0, FEW)
  const isFree = (curve: RewardCurve): boolean => !groups.some(({ members }) => members.has(curve))
  return [
    ...new Set([
      ...seen,
      ...groups.flatMap(({ members }) => bestFew((curve) => members.has(curve))),
      ...bestFew(isFree),
    ]),
  ]
}

function toSplit(
  problem: SplitProblem,
  { chosen, amounts, value }: Filled,
  bound: number,
  from: Split,
): Split {
  const partOf = (curve: RewardCurve, free: boolean): SplitPart => ({
    curve,
    amount: amounts.get(curve) ?? 0,
    free,
  })
  return {
    parts: [
      ...problem.free.map(({ curve }) => partOf(curve, true)),
      ...chosen.map((curve) => partOf(curve, false)),
    ],
    value,
    bound,
    price: from.price,
    nodes: from.nodes,
  }
}
