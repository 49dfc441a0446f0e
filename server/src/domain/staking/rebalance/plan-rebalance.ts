import { checkNamed } from '../named-validators.ts'
import type { Split } from '../solver/best-split.ts'
import { findCappedSplit } from '../solver/capped/capped-split.ts'
import { newSearchWork } from '../solver/capped/search-work.ts'
import { checkKeepLiquid, coinsHeldBack, RISK_AVERSION, type StakeLimits } from '../stake-limits.ts'
import type { StakeOptions } from '../stake-options.ts'
import { type Decided, describePlan, nothingToMove, type RebalancePlan } from './answer/describe-plan.ts'
import { type Moves, STAY } from './flows.ts'
import { findMoves } from './freeing/find-moves.ts'
import { assuredPayout, type HeldToken, isRequested, tokenValue, wholeToken } from './held-token.ts'
import { movesFor } from './moves.ts'
import { judgeMoves, stillBreaksLimits } from './outcome.ts'
import { holdingsOf, withUnlisted } from './places/holdings.ts'
import { beyondLimits, costlyStake } from './places/keep.ts'
import { isTooFew, type RebalanceProblem, rebalanceProblem, withoutMoves } from './problem.ts'
import { epochsLost, scheduleMoves } from './schedule.ts'
import { type SwitchingCost, switchingCost } from './switching-rules.ts'
import { chooseVerdict, type Judged, type Obstacle } from './verdict.ts'

export type { RebalancePlan }

export type RebalanceRequest = StakeLimits & {
  readonly tokens: readonly HeldToken[]
  readonly maxTargets: number
  /** The fraction of all stake that may move, 0…1. */
  readonly maxTurnover?: number
  readonly horizonEpochs?: number
}

/** Decides whether stake should move, and plans the steps. */
export function planRebalance(listed: StakeOptions, request: RebalanceRequest): RebalancePlan {
  checkNamed(listed, request)
  const market = withUnlisted(listed, request.tokens)
  const cost = switchingCost(market, request.horizonEpochs)
  if (request.tokens.length === 0) return nothingToMove(cost)
  const problem = problemOf(market, request, cost, true)
  const decided = decide(market, problem, cost)
  if (decided.found)
    return describePlan(market, problem, request.tokens, { ...decided, ...decided.found, cost })
  const single = problemOf(market, request, cost, false)
  const { split, found } = decide(market, single, cost)
  if (!found) throw new Error('stakes within one transaction could not be scheduled')
  // The bound includes plans of several transactions: asking again later may still reach them.
  const bound = Math.max(decided.split?.bound ?? 0, split?.bound ?? 0)
  const plan = describePlan(market, single, request.tokens, {
    split: split && { ...split, bound },
    ...found,
    cost,
  })
  return { ...plan, assumptions: [...plan.assumptions, ONE_TRANSACTION] }
}

const ONE_TRANSACTION =
  'The stakes of this plan must be in one transaction: of several, the first would break maxShare or minValidators. So no more is moved at a time than maxPerTx lets one transaction stake; ask again when this plan is done.'

/** The best plan for the problem; `found` is undefined if its stakes cannot be scheduled. */
function decide(
  market: StakeOptions,
  problem: RebalanceProblem,
  cost: SwitchingCost,
): { readonly split: Split | undefined; readonly found: Decided | undefined } {
  const { moves, split } = findMoves(market, problem)
  const full = judge(market, problem, moves, cost)
  const placing = judge(market, problem, findPlacing(market, problem), cost)
  if (!full || !placing) return { split, found: undefined }
  const verdict = chooseVerdict(
    {
      full,
      placing,
      isForced: beyondLimits(problem).size > 0,
      stillBreaksLimits: stillBreaksLimits(problem, full.moves),
      stake: kindOfStake(problem),
      obstacle: obstacleIn(problem),
      kept: keptIn(problem),
    },
    cost,
  )
  const schedule = scheduleMoves(market, problem, verdict.moves)
  return { split, found: schedule && { verdict, schedule } }
}

function kindOfStake({ keeps }: RebalanceProblem) {
  if (keeps.length === 0) return 'none'
  return keeps.some((keep) => costlyStake(keep) > 0n) ? 'costly' : 'freeToMove'
}

function obstacleIn({ keeps, targets, split, mayMove, limits }: RebalanceProblem): Obstacle | undefined {
  if (split.amount < split.least) return 'too_small'
  if (isTooFew(limits, keeps)) return 'too_few'
  if (targets.length === 0) return 'no_target'
  return Number(mayMove) < split.least ? 'no_turnover' : undefined
}

function keptIn({ idle, heldBack, split }: RebalanceProblem) {
  if (idle.length === 0 || heldBack === 0n) return 'none'
  const left = Number(idle.reduce((sum, part) => sum + assuredPayout(part), -heldBack))
  if (left >= split.least) return 'none'
  return left > 0 ? 'all_but_little' : 'all'
}

function problemOf(
  market: StakeOptions,
  { tokens, maxTargets, maxTurnover = 1, ...limits }: RebalanceRequest,
  cost: SwitchingCost,
  mayRepeat: boolean,
): RebalanceProblem {
  const total = tokens.reduce((sum, token) => sum + tokenValue(token), 0n)
  checkKeepLiquid(limits, total)
  const staked = tokens.filter((token) => !isRequested(token))
  const { mostWithdrawn } = limits
  const isPayable = ({ principal }: HeldToken) => mostWithdrawn === undefined || principal <= mostWithdrawn
  const idle = tokens.filter((token) => isRequested(token) && isPayable(token)).map(wholeToken)
  return rebalanceProblem(market, holdingsOf(market, staked), idle, {
    limits,
    maxTargets,
    maxTurnover,
    risk: (limits.riskAversion ?? RISK_AVERSION.default) / Number(total),
    cost,
    heldBack: coinsHeldBack(market, limits.keepLiquid),
    mayRepeat,
  })
}

/** The moves that only place idle stake. */
function findPlacing(market: StakeOptions, problem: RebalanceProblem): Moves {
  if (problem.idle.length === 0) return STAY
  const { split, groups } = withoutMoves(problem)
  // A group beyond its cap gets its own stake as cap: it receives nothing more, and the problem stays feasible.
  const caps = groups.map((group) => {
    const stays = split.free.reduce(
      (sum, { curve, least }) => sum + (group.members.has(curve) ? least : 0),
      0,
    )
    return { ...group, most: Math.max(group.most, stays) }
  })
  const placed = findCappedSplit(split, caps, { work: newSearchWork() })
  return placed ? movesFor(market, problem, placed) : STAY
}

function judge(
  market: StakeOptions,
  problem: RebalanceProblem,
  moves: Moves,
  cost: SwitchingCost,
): Judged | undefined {
  const schedule = scheduleMoves(market, problem, moves)
  if (!schedule) return undefined
  const lost = epochsLost(market, schedule, cost)
  return { moves, outcome: judgeMoves(market, problem, moves, { ...cost, lost }) }
}
