import { compoundYearly } from '../../../network/year.ts'
import { epochsUntilActive } from '../../epoch-rules.ts'
import type { Split } from '../../solver/best-split.ts'
import { type Certificate, certify } from '../../solver/certificate.ts'
import { gainOf, rewardOf } from '../../solver/reward-curve.ts'
import type { StakeOptions } from '../../stake-options.ts'
import { callsOf, type PlannedEpoch, type RebalanceCall, timelineOf } from '../calls.ts'
import type { Moves } from '../flows.ts'
import { type HeldToken, isRequested } from '../held-token.ts'
import { worthOfStaying } from '../places/keep.ts'
import type { RebalanceProblem } from '../problem.ts'
import type { Schedule } from '../schedule.ts'
import { type RebalanceStep, stepsOf } from '../steps.ts'
import type { SwitchingCost } from '../switching-rules.ts'
import type { Verdict } from '../verdict.ts'

export type RebalancePlan = {
  readonly currentPositions: readonly CurrentPosition[]
  readonly steps: readonly RebalanceStep[]
  readonly calls: readonly RebalanceCall[]
  readonly timeline: readonly PlannedEpoch[]
  readonly summary: RebalanceSummary
  readonly certificate: Certificate
  /** The reasons why the plan does not move or stake more. */
  readonly assumptions: readonly string[]
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
  /**
   * The number of epochs after which the plan has earned back its cost. Undefined if nothing moves or it never
   * does.
   */
  readonly breakEvenEpochs: number | undefined
  readonly horizonEpochs: number
  readonly recommendation: 'move' | 'hold'
  readonly reason: string
}

/** The plan for an owner without stake. */
export const nothingToMove = ({ horizonEpochs }: SwitchingCost): RebalancePlan => ({
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
    reason: 'There is no stake to move. For an amount that is not staked yet, ask for an allocation.',
  },
  certificate: { value: 0, bound: 0, gap: 0, nodes: 0 },
  assumptions: [],
})

/** The verdict, and the schedule that carries it out. */
export type Decided = { readonly verdict: Verdict; readonly schedule: Schedule }

/** The plan in the terms of the caller. */
export function describePlan(
  market: StakeOptions,
  problem: RebalanceProblem,
  tokens: readonly HeldToken[],
  {
    split,
    verdict,
    schedule,
    cost,
  }: Decided & { readonly split: Split | undefined; readonly cost: SwitchingCost },
): RebalancePlan {
  const calls = callsOf(schedule, market.epoch.number)
  const timeline = timelineOf(calls)
  const reached = valueOfMoves(problem, verdict.moves)
  return {
    currentPositions: describePositions(market, problem, tokens),
    steps: stepsOf(schedule, market.epoch.number),
    calls,
    timeline,
    summary: summarise(market, verdict, schedule, cost),
    certificate: certify(
      reached,
      split ? withGranted(problem, split) : { bound: reached, nodes: 0 },
      problem.split.amount,
    ),
    assumptions: leftOver(market, problem, timeline),
  }
}

/** Names coins that would be enough for a stake and are not staked, unless they are held back. */
function leftOver(
  { minStake }: StakeOptions,
  { heldBack }: RebalanceProblem,
  timeline: readonly PlannedEpoch[],
): readonly string[] {
  const left = (timeline.at(-1)?.left ?? 0n) - heldBack
  if (left < minStake) return []
  const beside = heldBack > 0n ? ' in addition to `keepLiquid`' : ''
  return [
    `${left} smallest units of what is paid out stay in the wallet${beside}: the limits leave no place for them.`,
  ]
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

/**
 * The epochs until all coins have arrived and the last stake is active. Stakes are made at the start of their
 * epoch.
 */
function epochsToComplete(market: StakeOptions, { exits, stakes }: Schedule): number {
  const payouts = exits.map(({ atEpoch }) => atEpoch - market.epoch.number)
  const arrivals = stakes.map(({ atEpoch }) => epochsUntilActive(market, atEpoch))
  return Math.max(0, ...payouts, ...arrivals)
}

const withGranted = ({ granted }: RebalanceProblem, { bound, nodes }: Split) => ({
  bound: bound + granted,
  nodes,
})

/** The value of the moves in the split problem. */
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
