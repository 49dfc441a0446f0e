import type { Split } from '../../solver/best-split.ts'
import { findCappedSplit } from '../../solver/capped/capped-split.ts'
import type { StakeOptions } from '../../stake-options.ts'
import { type Moves, STAY } from '../flows.ts'
import { assuredPayout, ROUNDING } from '../held-token.ts'
import { movesFor } from '../moves.ts'
import { stillBreaksLimits } from '../outcome.ts'
import { leastBeyond } from '../places/least-beyond.ts'
import { capsOf, type RebalanceProblem, withLiquid } from '../problem.ts'
import { type Freeing, freeCoins } from './free-coins.ts'

type Found = { readonly moves: Moves; readonly split: Split | undefined }
type Solve = (problem: RebalanceProblem) => Split | undefined

/** How often the coins to be freed are raised by what rounding takes from them. */
const MOST_TRIES = 4

/**
 * Limits come before gains; where `maxTurnover` is too small to bring groups within their caps, the split ignores the
 * groups.
 */
const READINGS: readonly Solve[] = [
  (problem) => findCappedSplit(leastBeyond(problem), capsOf(problem)),
  (problem) => findCappedSplit(problem.split, capsOf(problem)),
  (problem) => findCappedSplit(leastBeyond(problem), capsOf({ ...problem, groups: [] })),
  (problem) => findCappedSplit(problem.split, capsOf({ ...problem, groups: [] })),
]

/** The best moves, and the split that they come from with what it proves. */
export function findMoves(market: StakeOptions, problem: RebalanceProblem): Found {
  for (const solve of READINGS) {
    const split = solve(problem)
    if (!split) continue
    if (problem.heldBack > 0n) {
      return freedMoves(market, problem, solve) ?? { moves: movesFor(market, problem, split), split }
    }
    const found = { moves: movesFor(market, problem, split), split }
    return leavesLittleBeyond(problem, found.moves) ? (keptMoves(market, problem, solve) ?? found) : found
  }
  return { moves: STAY, split: undefined }
}

/** Less than can leave is beyond a limit, and idle coins could be staked with it: then more leaves. */
const leavesLittleBeyond = (problem: RebalanceProblem, moves: Moves): boolean =>
  problem.idle.length > 0 && stillBreaksLimits(problem, moves)

/** The moves by amounts that can leave, if they keep the limits. */
function keptMoves(market: StakeOptions, problem: RebalanceProblem, solve: Solve): Found | undefined {
  const found = freedMoves(market, problem, solve)
  return found && !stillBreaksLimits(problem, found.moves) ? found : undefined
}

/**
 * The moves that free what is kept liquid. A little less than its value is sure to be paid of a token: where that leaves too
 * few coins, or too few for a stake, so much more is freed. The bound is that of the first search, in which all of the
 * value counted.
 */
function freedMoves(market: StakeOptions, problem: RebalanceProblem, solve: Solve): Found | undefined {
  const first = freeCoins(market, problem, solve)
  if (!first) return undefined
  const tokens = problem.keeps.reduce((sum, keep) => sum + keep.tokens.length, problem.idle.length)
  const rounding = ROUNDING * BigInt(tokens) + BigInt(Math.ceil(1e-11 * problem.split.amount))
  let moves = movesFor(market, problem, first.split, first.leaves)
  let more = 0n
  let missing = missingCoins(problem, first, moves, rounding)
  for (let tries = 1; tries < MOST_TRIES && missing > 0n && missing <= rounding; tries++) {
    more += missing
    const next = freeCoins(market, withLiquid(problem, more), solve)
    if (!next) break
    moves = movesFor(market, problem, next.split, next.leaves)
    missing = missingCoins(problem, next, moves, rounding)
  }
  return { moves, split: first.split }
}

/** How many coins the moves leave too few at hand, or for what the split stakes: also for as many stakes. */
function missingCoins(
  { idle, heldBack }: RebalanceProblem,
  { split }: Freeing,
  { outflows, inflows }: Moves,
  rounding: bigint,
): bigint {
  const paid = [...outflows.flatMap(({ parts }) => parts), ...idle]
  const arriving = split.parts.filter(({ free, amount }) => !free && amount > 0)
  const wanted = BigInt(Math.floor(arriving.reduce((sum, { amount }) => sum + amount, 0)))
  const placed = inflows.reduce((sum, { amount }) => sum + amount, 0n)
  const isLess = placed + rounding < wanted || inflows.length < arriving.length
  return paid.reduce((missing, part) => missing - assuredPayout(part), heldBack + (isLess ? wanted : placed))
}
