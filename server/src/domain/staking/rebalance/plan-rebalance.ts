import { compoundYearly } from '../../network/year.ts'
import { epochsUntilActive } from '../epoch-rules.ts'
import { checkNamed } from '../named-validators.ts'
import type { Split } from '../solver/best-split.ts'
import { findCappedSplit } from '../solver/capped/capped-split.ts'
import { type Certificate, certify } from '../solver/certificate.ts'
import { gainOf, rewardOf } from '../solver/reward-curve.ts'
import { checkKeepLiquid, heldBack, RISK_AVERSION, type StakeLimits } from '../stake-limits.ts'
import type { StakeOptions } from '../stake-options.ts'
import { callsOf, type PlannedEpoch, type RebalanceCall, timelineOf } from './calls.ts'
import { type Moves, STAY } from './flows.ts'
import { findMoves } from './freeing/find-moves.ts'
import { assuredPayout, type HeldToken, isRequested, tokenValue, wholeToken } from './held-token.ts'
import { movesFor } from './moves.ts'
import { judgeMoves, stillBreaksLimits } from './outcome.ts'
import { holdingsOf, withUnlisted } from './places/holdings.ts'
import { beyondLimits, costlyStake, worthOfStaying } from './places/keep.ts'
import { isTooFew, type RebalanceProblem, rebalanceProblem, withoutMoves } from './problem.ts'
import { epochsLost, type Schedule, scheduleMoves } from './schedule.ts'
import { type RebalanceStep, stepsOf } from './steps.ts'
import { type SwitchingCost, switchingCost } from './switching-rules.ts'
import { chooseVerdict, type Judged, type Obstacle, type Verdict } from './verdict.ts'

type RebalanceRequest = StakeLimits & {
  readonly tokens: readonly HeldToken[]
  readonly maxTargets: number
  /** The part of everything that may move, 0…1. */
  readonly maxTurnover?: number
  readonly horizonEpochs?: number
}

export type RebalancePlan = {
  readonly currentPositions: readonly CurrentPosition[]
  readonly steps: readonly RebalanceStep[]
  readonly calls: readonly RebalanceCall[]
  readonly timeline: readonly PlannedEpoch[]
  readonly summary: RebalanceSummary
  readonly certificate: Certificate
}

type CurrentPosition = {
  readonly token: HeldToken
  /** Percent. */
  readonly currentApy: number
}

type RebalanceSummary = {
  /** Percent; both by the same estimate. */
  readonly currentWeightedApy: number
  readonly projectedWeightedApy: number
  readonly estimatedEpochsToComplete: number
  /** After this many epochs the plan has earned back what moving costs. Undefined when nothing moves. */
  readonly breakEvenEpochs: number | undefined
  readonly horizonEpochs: number
  readonly recommendation: 'move' | 'hold'
  readonly reason: string
}

/** Whether stake should move, and the steps that move it. */
export function planRebalance(listed: StakeOptions, request: RebalanceRequest): RebalancePlan {
  checkNamed(listed, request)
  const market = withUnlisted(listed, request.tokens)
  const cost = switchingCost(market, request.horizonEpochs)
  if (request.tokens.length === 0) return nothingToMove(cost)
  const problem = problemOf(market, request, cost)
  const { moves, split } = findMoves(market, problem)
  const full = judge(market, problem, moves, cost)
  const placing = judge(market, problem, findPlacing(market, problem), cost)
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
  const calls = callsOf(schedule, market.epoch.number)
  const reached = valueOfMoves(problem, verdict.moves)
  return {
    currentPositions: describePositions(market, problem, request.tokens),
    steps: stepsOf(schedule, market.epoch.number),
    calls,
    timeline: timelineOf(calls),
    summary: summarise(market, verdict, schedule, cost),
    certificate: certify(
      reached,
      split ? withGranted(problem, split) : { bound: reached, nodes: 0 },
      problem.split.amount,
    ),
  }
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

/** The plan for an owner without stake. */
const nothingToMove = ({ horizonEpochs }: SwitchingCost): RebalancePlan => ({
  currentPositions: [],
  steps: [],
  calls: [],
  timeline: [],
  summary: {
    currentWeightedApy: 0,
    projectedWeightedApy: 0,
    estimatedEpochsToComplete: 0,
    breakEvenEpochs: undefined,
    horizonEpochs,
    recommendation: 'hold',
    reason: 'There is no stake to move. An amount that is not staked yet is for an allocation.',
  },
  certificate: { value: 0, bound: 0, gap: 0, nodes: 0 },
})

function problemOf(
  market: StakeOptions,
  { tokens, maxTargets, maxTurnover = 1, ...limits }: RebalanceRequest,
  cost: SwitchingCost,
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
    heldBack: heldBack(market, limits.keepLiquid),
  })
}

/** The moves that only place what is idle. */
function findPlacing(market: StakeOptions, problem: RebalanceProblem): Moves {
  if (problem.idle.length === 0) return STAY
  const { split, groups } = withoutMoves(problem)
  const placed = findCappedSplit(split, groups)
  return placed ? movesFor(market, problem, placed) : STAY
}

function judge(market: StakeOptions, problem: RebalanceProblem, moves: Moves, cost: SwitchingCost): Judged {
  const lost = epochsLost(market, scheduleMoves(market, problem, moves), cost)
  return { moves, outcome: judgeMoves(market, problem, moves, { ...cost, lost }) }
}

function describePositions(
  { pool }: StakeOptions,
  { keeps }: RebalanceProblem,
  tokens: readonly HeldToken[],
): readonly CurrentPosition[] {
  const apyOf = new Map(
    keeps.map(({ option, curve, staked }) => [
      option.validatorId,
      100 * compoundYearly(rewardOf(curve, Number(staked)) / Number(staked), pool.epochsPerYear),
    ]),
  )
  return tokens.map((token) => ({
    token,
    currentApy: isRequested(token) ? 0 : (apyOf.get(token.validatorId) ?? 0),
  }))
}

function summarise(
  market: StakeOptions,
  { recommendation, reason, outcome }: Verdict,
  schedule: Schedule,
  { horizonEpochs }: SwitchingCost,
): RebalanceSummary {
  const moving = recommendation === 'move'
  return {
    currentWeightedApy: outcome.currentApy,
    projectedWeightedApy: moving ? outcome.projectedApy : outcome.currentApy,
    estimatedEpochsToComplete: epochsToComplete(market, schedule),
    breakEvenEpochs: moving && outcome.breakEvenEpochs < Infinity ? outcome.breakEvenEpochs : undefined,
    horizonEpochs,
    recommendation,
    reason,
  }
}

/** Until all coins have come and the last stake is active. Stakes of later epochs are made at their start. */
function epochsToComplete(market: StakeOptions, { exits, stakes }: Schedule): number {
  const payouts = exits.map(({ atEpoch }) => atEpoch - market.epoch.number)
  const arrivals = stakes.map(({ atEpoch }) => epochsUntilActive(market, atEpoch))
  return Math.max(0, ...payouts, ...arrivals)
}

const withGranted = ({ granted }: RebalanceProblem, { bound, nodes }: Split) => ({
  bound: bound + granted,
  nodes,
})

/** What the moves are worth in the terms of the problem. */
function valueOfMoves(
  { keeps, granted, split: { risk } }: RebalanceProblem,
  { outflows, inflows }: Moves,
): number {
  const left = new Map(outflows.map((outflow) => [outflow.keep, Number(outflow.amount)]))
  let value = granted
  for (const keep of keeps) {
    value += worthOfStaying(keep, risk, Number(keep.staked) - (left.get(keep) ?? 0))
  }
  for (const { target, amount } of inflows) value += gainOf(target.curve, risk, Number(amount))
  return value
}
