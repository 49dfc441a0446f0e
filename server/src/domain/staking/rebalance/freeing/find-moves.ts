import type { Split } from '../../solver/best-split.ts'
import { findCappedSplit } from '../../solver/capped/capped-split.ts'
import { halfOf, newSearchWork, type SearchWork } from '../../solver/capped/search-work.ts'
import type { StakeOptions } from '../../stake-options.ts'
import { type Moves, STAY } from '../flows.ts'
import { assuredPayout, ROUNDING } from '../held-token.ts'
import { movesFor } from '../moves.ts'
import { stillBreaksLimits } from '../outcome.ts'
import { easeGroups } from '../places/ease-groups.ts'
import { leastBeyond } from '../places/least-beyond.ts'
import { capsOf, type RebalanceProblem, withLiquid } from '../problem.ts'
import { type Freeing, freeCoins } from './free-coins.ts'

type Found = { readonly moves: Moves; readonly split: Split | undefined }
type Solve = (problem: RebalanceProblem, work: SearchWork) => Split | undefined

/** Limit of the work to free coins: it searches once per case. */
const FREEING_WORK = 500_000

/** The limit of tries in which the coins to be freed are raised to make up for rounding. */
const MAX_TRIES = 4

/** Tried in order until one has a split. Limits come before gains. */
const SOLVES: readonly Solve[] = [
  (problem, work) => findCappedSplit(leastBeyond(problem, work), capsOf(problem), { work }),
  (problem, work) => findCappedSplit(problem.split, capsOf(problem), { work }),
]

/**
 * The best moves, and the split with the bound that they come from. If `maxTurnover` or the room elsewhere is too small
 * to bring all groups within their caps, each is brought as near as all can be.
 */
export function findMoves(market: StakeOptions, problem: RebalanceProblem): Found {
  const found = movesWithin(market, problem)
  if (found) return found
  if (problem.groups.length === 0) return { moves: STAY, split: undefined }
  const work = newSearchWork()
  const hasSplit = (eased: RebalanceProblem) =>
    SOLVES.some((solve) => solve(eased, halfOf(work)) !== undefined)
  return movesWithin(market, easeGroups(problem, hasSplit)) ?? { moves: STAY, split: undefined }
}

function movesWithin(market: StakeOptions, problem: RebalanceProblem): Found | undefined {
  for (const solve of SOLVES) {
    const split = solve(problem, newSearchWork())
    if (!split) continue
    if (problem.heldBack > 0n) {
      return freedMoves(market, problem, solve) ?? { moves: movesFor(market, problem, split), split }
    }
    const found = { moves: movesFor(market, problem, split), split }
    return leavesLittleBeyond(problem, found.moves) ? (keptMoves(market, problem, solve) ?? found) : found
  }
  return undefined
}

/**
 * Whether too small an amount to leave is beyond a limit while there are idle coins: then more stake leaves with
 * them.
 */
const leavesLittleBeyond = (problem: RebalanceProblem, moves: Moves): boolean =>
  problem.idle.length > 0 && stillBreaksLimits(problem, moves)

/** The moves that free only amounts which can leave, if they keep the limits. */
function keptMoves(market: StakeOptions, problem: RebalanceProblem, solve: Solve): Found | undefined {
  const found = freedMoves(market, problem, solve)
  return found && !stillBreaksLimits(problem, found.moves) ? found : undefined
}

/**
 * The moves that free the coins to be kept liquid. The assured payout of a token is a little less than its value: if
 * this leaves too few coins, also for a stake, the missing ones are freed in addition. The bound is that of the first
 * search, which counted the full values.
 */
function freedMoves(market: StakeOptions, problem: RebalanceProblem, solve: Solve): Found | undefined {
  const work = newSearchWork(FREEING_WORK)
  const first = freeCoins(market, problem, { solve, work })
  if (!first) return undefined
  const tokens = problem.keeps.reduce((sum, keep) => sum + keep.tokens.length, problem.idle.length)
  const rounding = ROUNDING * BigInt(tokens) + BigInt(Math.ceil(1e-11 * problem.split.amount))
  let moves = movesFor(market, problem, first.split, first.leaves)
  let more = 0n
  let missing = missingCoins(problem, first, moves, rounding)
  for (let tries = 1; tries < MAX_TRIES && missing > 0n && missing <= rounding; tries++) {
    more += missing
    const next = freeCoins(market, withLiquid(problem, more), { solve, work })
    if (!next) break
    moves = movesFor(market, problem, next.split, next.leaves)
    missing = missingCoins(problem, next, moves, rounding)
  }
  return { moves, split: first.split }
}

/**
 * The coins that the moves lack for `heldBack` and the stakes. If stakes of the split are missing, it counts all of
 * them.
 */
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
