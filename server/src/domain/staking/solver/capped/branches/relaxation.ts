import type { RewardCurve } from '../../reward-curve.ts'
import type { Prices } from '../capped-bound.ts'
import type { CappedProblem, GroupCap } from '../group-caps.ts'
import { amountOf, type Block, newBlock, partOf } from './block.ts'
import { advance, type Link, type Shortfall, type State, shortfallOf } from './newton-step.ts'
import { highestRate, type Room } from './rooms.ts'

export type Relaxed = {
  readonly amounts: ReadonlyMap<RewardCurve, number>
  /** The fraction of each open curve that is chosen, 0…1. */
  readonly parts: ReadonlyMap<RewardCurve, number>
  readonly prices: Prices
  /** Whether the amounts are the optimum of the relaxed problem. */
  readonly isSolved: boolean
  readonly steps: number
}

const MAX_STEPS = 60
/** Relative, like the constants below. */
const CLOSE = 1e-11
const ACCEPTABLE = 1e-9
/** Multiple of the highest rate. At this price no curve takes anything. */
const PROHIBITIVE = 1e8
/**
 * Factor by which bounds and caps are widened: an interior-point method needs an interior, and the caller's limits may
 * allow only a single split.
 */
const WIDER = 1 + 1e-10

/**
 * The best split of a branch if open curves may be chosen fractionally: a concave problem under linear constraints,
 * solved by a primal-dual interior-point method. Each step solves one small linear system, with a row for the amount,
 * one for each group and one for the number of chosen curves. Without open curves it is the best split itself. An
 * infeasible branch ends with `isSolved` false, and its prices prove the infeasibility.
 */
export function relax(caps: CappedProblem, rooms: readonly Room[], maxOpen: number): Relaxed {
  const setup = newState(caps, rooms, maxOpen)
  const { state } = setup
  let distance = shortfallOf(state)
  let [steps, centring] = [0, 0.2]
  // In an infeasible branch prices grow without limit.
  while (!isReached(distance) && steps < MAX_STEPS && Math.abs(state.price) < PROHIBITIVE) {
    const length = advance(state, (centring * distance.complementarity) / distance.count)
    if (length < 1e-9) break
    distance = shortfallOf(state)
    centring = length > 0.9 ? 0.05 : length > 0.5 ? 0.2 : 0.6
    steps++
  }
  const isSolved = distance.complementarity < ACCEPTABLE && distance.infeasibility < ACCEPTABLE
  return toRelaxed(caps, setup, isSolved, steps)
}

/** Whether the optimum is reached, or the best that floats can do if the limits leave hardly any choice. */
const isReached = ({ infeasibility, complementarity }: Shortfall): boolean =>
  complementarity < CLOSE && (infeasibility < CLOSE || complementarity < CLOSE ** 2)

type Setup = {
  readonly state: State
  readonly rate: number
  /** The curves whose bounds coincide, so that they determine the amount. */
  readonly fixed: ReadonlyMap<RewardCurve, number>
  readonly rowOf: ReadonlyMap<GroupCap, number>
}

function newState(
  { problem, groups, groupsOf }: CappedProblem,
  rooms: readonly Room[],
  maxOpen: number,
): Setup {
  const { amount, risk } = problem
  const isTight = ({ least, most, isOpen }: Room) => !isOpen && most <= least * WIDER
  const fixed = new Map(rooms.flatMap((room) => (isTight(room) ? [[room.curve, room.least]] : [])))
  const movable = rooms.filter((room) => !isTight(room))
  const rowOf = new Map(groups.map((group, at) => [group, at + 1]))
  const rate = highestRate(movable, risk)
  const left = (whole: number, counts: (curve: RewardCurve) => boolean): number => {
    let rest = whole
    for (const [curve, part] of fixed) if (counts(curve)) rest -= part
    return rest / amount
  }
  const wanted = left(amount, () => true)
  const middle = movable.reduce((sum, { most, isOpen }) => sum + (isOpen ? most / 2 : most), 0) / amount
  const level = Math.max(0.02, Math.min(0.9, wanted / middle))
  const blocks = movable.map(({ curve, least, most, isOpen }) => {
    const rows = groupsOf(curve).map((group) => rowOf.get(group) ?? 0)
    const room = { curve, least: least / WIDER, most: most * WIDER, isOpen, rows }
    return newBlock(room, { amount, rate, risk }, level)
  })
  const links = groups.map(({ members, most }) =>
    newLink(left(most, (curve) => members.has(curve)) + WIDER - 1),
  )
  const hasCount = blocks.some(({ isOpen }) => isOpen)
  if (hasCount) links.push(newLink(maxOpen * WIDER))
  return { state: startOf(blocks, links, wanted, hasCount), rate, fixed, rowOf }
}

const newLink = (most: number): Link => ({ most, used: 0, slack: 0, dual: 0, slackStep: 0, dualStep: 0 })

const START = 0.1

/** The initial state: strictly inside the bounds of every curve. The amount and the caps need not hold yet. */
function startOf(blocks: readonly Block[], links: readonly Link[], wanted: number, hasCount: boolean): State {
  for (const { limits, values } of blocks) {
    for (const limit of limits) {
      limit.slack = limit.most
      for (const [at, factor] of limit.factors.entries()) limit.slack -= factor * (values[at] ?? 0)
      limit.dual = START / limit.slack
    }
  }
  const size = links.length + 1
  const state: State = {
    blocks,
    links,
    wanted,
    hasCount,
    price: 0.5,
    used: 0,
    matrix: new Float64Array(size * size),
    vector: new Float64Array(size),
  }
  shortfallOf(state)
  for (const link of links) {
    link.slack = Math.max(link.most - link.used, 0.1)
    link.dual = START / link.slack
  }
  return state
}

function toRelaxed(
  { problem: { amount }, groups }: CappedProblem,
  { state, rate, fixed, rowOf }: Setup,
  isSolved: boolean,
  steps: number,
): Relaxed {
  const amounts = new Map(fixed)
  const parts = new Map<RewardCurve, number>()
  for (const block of state.blocks) {
    amounts.set(block.curve, amountOf(block) * amount)
    if (block.isOpen) parts.set(block.curve, partOf(block))
  }
  const tolls = new Map(
    groups.map((group) => [group, rate * (state.links[(rowOf.get(group) ?? 0) - 1]?.dual ?? 0)]),
  )
  return { amounts, parts, prices: { price: rate * state.price, tolls }, isSolved, steps }
}
