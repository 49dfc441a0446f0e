import { takeHighest } from '../../branching.ts'
import { dominates } from '../../dominance.ts'
import type { Branch } from '../../dual-bound.ts'
import { gainOf, type RewardCurve } from '../../reward-curve.ts'
import type { CappedProblem } from '../group-caps.ts'
import type { SearchWork } from '../search-work.ts'
import type { Node, Search } from '../tighten-node.ts'
import type { UnitCheck } from '../units/unit-check.ts'
import { branchBoundAt } from './branch-bound.ts'
import { type Relaxed, relax } from './relaxation.ts'
import { highestRate, roomsOf } from './rooms.ts'

/** Relative: as close as the interior-point method comes. */
const TOLERANCE = 1e-10

/**
 * Branch and bound, for problems that the prices of the root node leave open. Each node solves the relaxation, in
 * which curves may be chosen fractionally: the curves with the largest fractions make a split, and the prices prove a
 * bound. If a gap remains, the search branches on a fractional curve. The work of a node is its interior-point steps
 * times its curves. With a check, choices that floats cannot fill are filled in whole units.
 */
export function searchBranches(caps: CappedProblem, root: Node, search: Search, { work, check }: Terms) {
  const waiting: Node[] = [root]
  const tools = { ...search, ...newSolver(caps, search, { work, check }) }
  let settled = Number.NEGATIVE_INFINITY
  let nodes = 0
  while (work.units > 0) {
    // Depth first until a split is found: the newest node has the most curves decided. Best bound first after that.
    const node = search.best() ? takeHighest(waiting) : waiting.pop()
    if (!node) break
    nodes++
    const { bound, open, splitOn } = visit(caps, node, tools)
    if (splitOn) waiting.push(...splitNode(caps, { ...node, bound, open }, splitOn))
    else settled = Math.max(settled, bound)
  }
  if (waiting.length > 0) check?.cutShort()
  return { bound: waiting.reduce((highest, node) => Math.max(highest, node.bound), settled), nodes }
}

type Terms = { readonly work: SearchWork; readonly check: UnitCheck | undefined }

/** Solves branches by the interior-point method, and counts the work. */
function newSolver(caps: CappedProblem, search: Search, { work, check }: Terms) {
  const { problem } = caps
  const tried = new Set<string>()
  const indexOf = new Map(problem.choices.map((curve, at) => [curve, at]))
  const solve = (branch: Branch) => {
    const rooms = roomsOf(caps, branch)
    if (!rooms) return undefined
    const maxOpen = problem.maxChosen - branch.forced.length
    const relaxed = relax(caps, rooms, maxOpen)
    work.units -= (relaxed.steps + 1) * rooms.length
    return { relaxed, ...branchBoundAt(caps, rooms, maxOpen, relaxed.prices) }
  }
  /** Fills group by group, which is fast; undefined unless its own prices prove that the filling is optimal. */
  const fillQuickly = (chosen: readonly RewardCurve[]) => {
    const filled = search.tryChoice(chosen)
    const rooms = filled && roomsOf(caps, { forced: chosen, open: [] })
    if (!rooms) return undefined
    const { bound } = branchBoundAt(caps, rooms, 0, filled)
    return bound - filled.value <= TOLERANCE * Math.abs(filled.value) ? filled : undefined
  }
  const fill = (chosen: readonly RewardCurve[], price: number): void => {
    const name = chosen
      .map((curve) => indexOf.get(curve))
      .toSorted()
      .join()
    if (tried.has(name)) return
    tried.add(name)
    const amounts = fillQuickly(chosen)?.amounts ?? fillExactly(chosen) ?? fillInUnits(chosen, price)
    const needed = chosen.filter((curve) => (amounts?.get(curve) ?? 0) > problem.least * (1 + 1e-6))
    if (amounts && needed.length < chosen.length) fill(needed, price)
  }
  const fillExactly = (chosen: readonly RewardCurve[]) => {
    const relaxed = solve({ forced: chosen, open: [] })?.relaxed
    if (!relaxed?.isSolved) return undefined
    const { amounts, prices } = relaxed
    search.offer({ amounts, value: gainIn(amounts), ...prices, chosen })
    return amounts
  }
  const fillInUnits = (chosen: readonly RewardCurve[], price: number) => {
    const amounts = check?.unitsFor([...problem.free.map(({ curve }) => curve), ...chosen])
    if (amounts) search.offer({ amounts, value: gainIn(amounts), price, tolls: new Map(), chosen })
    return amounts
  }
  const gainIn = (amounts: ReadonlyMap<RewardCurve, number>): number => {
    let value = 0
    for (const [curve, amount] of amounts) value += gainOf(curve, problem.risk, amount)
    return value
  }
  return { solve, fill }
}

type Tools = Search & ReturnType<typeof newSolver>

function visit(caps: CappedProblem, node: Node, { reaches, solve, fill, best }: Tools) {
  const settled = (bound: number) => ({ bound, open: node.open, splitOn: undefined })
  if (reaches(node.bound, TOLERANCE)) return settled(node.bound)
  const solved = solve(node)
  if (!solved || solved.bound < lowestGain(caps)) return settled(Number.NEGATIVE_INFINITY)
  const bound = Math.min(node.bound, solved.bound)
  if (reaches(bound, TOLERANCE)) return settled(bound)
  fill(choose(caps, node, solved.relaxed), solved.relaxed.prices.price)
  if (reaches(bound, TOLERANCE)) return settled(bound)
  const open = solved.hopefulFor(best()?.value ?? Number.NEGATIVE_INFINITY)
  // Without a hopeful open curve, the forced curves alone are the last candidate of the branch.
  if (open.length === 0) fill(node.forced, solved.relaxed.prices.price)
  return { bound, open, splitOn: mostFractional(open, solved.relaxed) }
}

/** A lower bound on the gain of every split: a concave gain that starts at 0 is lowest at one end of its range. */
function lowestGain({ problem: { choices, free, risk, most, amount } }: CappedProblem): number {
  const slots = [...free, ...choices.map((curve) => ({ curve, least: 0, most: Math.min(most, curve.cap) }))]
  const rounding = 1e-6 * amount * highestRate(slots, risk)
  return slots.reduce((sum, { curve, most }) => sum + Math.min(0, gainOf(curve, risk, most)), -rounding)
}

/** The forced curves and the open curves with the largest fractions, up to the number allowed. */
function choose(
  { problem }: CappedProblem,
  { forced, open }: Branch,
  { amounts, parts }: Relaxed,
): readonly RewardCurve[] {
  const count = problem.maxChosen - forced.length
  const used = open.filter((curve) => (amounts.get(curve) ?? 0) > 1e-9 * problem.amount)
  const most =
    used.length <= count ? used : used.toSorted((a, b) => (parts.get(b) ?? 0) - (parts.get(a) ?? 0))
  return [...forced, ...most.slice(0, count)]
}

/** A curve to branch on, and the fraction of it that the relaxation chose. */
type Fractional = { readonly curve: RewardCurve; readonly part: number }

function mostFractional(open: readonly RewardCurve[], { parts }: Relaxed): Fractional | undefined {
  let found: Fractional | undefined
  const isCloser = (part: number): boolean => !found || Math.abs(part - 0.5) < Math.abs(found.part - 0.5)
  for (const curve of open) {
    const part = parts.get(curve) ?? 0
    if (isCloser(part)) found = { curve, part }
  }
  return found
}

/**
 * The likelier case comes last, because a stack takes it first. A curve may replace another only if it is in no
 * further group.
 */
function splitNode(
  { problem, groupsOf }: CappedProblem,
  node: Node,
  { curve, part }: Fractional,
): readonly Node[] {
  const forced = [...node.forced, curve]
  const others = node.open.filter((other) => other !== curve)
  const canReplace = (other: RewardCurve): boolean =>
    groupsOf(curve).every((group) => group.members.has(other)) && dominates(curve, other, problem.most)
  const without = { ...node, open: others.filter((other) => !canReplace(other)) }
  const within = { ...node, forced, open: forced.length < problem.maxChosen ? others : [] }
  return part < 0.5 ? [within, without] : [without, within]
}
