import { Fault } from '../../fault.ts'
import { compoundYearly } from '../network/year.ts'
import { RISK_AVERSION } from './allocation.ts'
import { findBestSplit } from './best-split.ts'
import { type Certificate, certify } from './certificate.ts'
import { epochsUntilFree } from './epoch-rules.ts'
import { type Moves, movesFor, STAY } from './rebalance-moves.ts'
import { judgeMoves, type Outcome } from './rebalance-outcome.ts'
import { type Holding, type RebalanceProblem, rebalanceProblem } from './rebalance-problem.ts'
import { type RebalanceStep, stepsOf } from './rebalance-steps.ts'
import { gainOf, rewardOf } from './reward-curve.ts'
import type { StakeOptions } from './stake-options.ts'
import { epochsToComplete, type SwitchingCost, switchingCost } from './switching-rules.ts'
import type { Position } from './unstake-tokens.ts'

export type RebalanceRequest = {
  readonly positions: readonly Position[]
  readonly maxTargets: number
  /** Only the validators with the best scores may receive stake, this many of them. */
  readonly visible?: number
  readonly exclude?: ReadonlySet<string>
  readonly riskAversion?: number
  readonly horizonEpochs?: number
}

export type RebalancePlan = {
  readonly currentPositions: readonly CurrentPosition[]
  readonly steps: readonly RebalanceStep[]
  readonly summary: RebalanceSummary
  readonly certificate: Certificate
}

export type CurrentPosition = {
  readonly stakedTokenId: string
  readonly validatorId: string
  readonly stakedAmount: bigint
  /** Percent. */
  readonly currentApy: number
}

export type RebalanceSummary = {
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
export function planRebalance(market: StakeOptions, request: RebalanceRequest): RebalancePlan {
  const byValidator = Map.groupBy(checked(market, request.positions), ({ validatorId }) => validatorId)
  const holdings = holdingsOf(market, byValidator)
  const total = holdings.reduce((sum, { staked }) => sum + Number(staked), 0)
  const cost = switchingCost(market, request.horizonEpochs)
  const problem = rebalanceProblem(market, holdings, {
    maxTargets: request.maxTargets,
    risk: (request.riskAversion ?? RISK_AVERSION.default) / total,
    cost,
    mayReceive: ({ eligible, rank, validatorId }) =>
      eligible && rank < (request.visible ?? Infinity) && !request.exclude?.has(validatorId),
  })
  const split = findBestSplit(problem.split)
  const moves = split ? movesFor(market, problem, split, byValidator) : STAY
  const outcome = judgeMoves(market, problem, moves, cost)
  const taken = outcome.verdict.recommendation === 'move' ? moves : STAY
  const reached = valueOfMoves(problem, taken)
  return {
    currentPositions: describePositions(market, problem, request.positions),
    steps: stepsOf(market, taken),
    summary: summarise(market, taken, outcome, cost),
    certificate: certify(reached, split ?? { bound: reached, nodes: 0 }, problem.split.amount),
  }
}

function checked(market: StakeOptions, positions: readonly Position[]): readonly Position[] {
  const known = new Set(market.options.map(({ validatorId }) => validatorId))
  const seen = new Set<string>()
  const details = positions.flatMap(({ stakedTokenId, validatorId, principal }, index) => {
    const at = `positions[${index}]`
    const problems: { readonly field: string; readonly message: string }[] = []
    if (!known.has(validatorId)) {
      problems.push({
        field: `${at}.validatorId`,
        message: 'is not a validator of this network; see GET /api/v1/staking/validators.',
      })
    }
    if (seen.has(stakedTokenId)) {
      problems.push({ field: `${at}.stakedTokenId`, message: 'appears twice; list every staked token once.' })
    }
    if (principal <= 0n) problems.push({ field: `${at}.principal`, message: 'must be greater than 0.' })
    seen.add(stakedTokenId)
    return problems
  })
  const [first] = details
  if (first) throw new Fault('invalid_input', `${first.field} ${first.message}`, { details })
  return positions
}

function holdingsOf(
  { options }: StakeOptions,
  positions: ReadonlyMap<string, readonly Position[]>,
): readonly Holding[] {
  return options.flatMap((option) => {
    const here = positions.get(option.validatorId)
    return here ? [{ option, staked: here.reduce((sum, { principal }) => sum + principal, 0n) }] : []
  })
}

function describePositions(
  { pool }: StakeOptions,
  { keeps }: RebalanceProblem,
  positions: readonly Position[],
): readonly CurrentPosition[] {
  const apyOf = new Map(
    keeps.map(({ option, curve, staked }) => [
      option.validatorId,
      100 * compoundYearly(rewardOf(curve, Number(staked)) / Number(staked), pool.epochsPerYear),
    ]),
  )
  return positions.map(({ stakedTokenId, validatorId, principal }) => ({
    stakedTokenId,
    validatorId,
    stakedAmount: principal,
    currentApy: apyOf.get(validatorId) ?? 0,
  }))
}

function summarise(
  market: StakeOptions,
  { outflows }: Moves,
  { currentApy, projectedApy, breakEvenEpochs, verdict }: Outcome,
  { horizonEpochs }: SwitchingCost,
): RebalanceSummary {
  const moving = verdict.recommendation === 'move'
  const waits = outflows.map(({ keep }) => epochsUntilFree(market.network, keep.option))
  return {
    currentWeightedApy: currentApy,
    projectedWeightedApy: moving ? projectedApy : currentApy,
    estimatedEpochsToComplete: moving ? epochsToComplete(market, Math.max(...waits)) : 0,
    breakEvenEpochs: moving ? breakEvenEpochs : undefined,
    horizonEpochs,
    ...verdict,
  }
}

/** What the moves are worth in the terms of the problem. */
function valueOfMoves({ keeps, split: { risk } }: RebalanceProblem, { outflows, inflows }: Moves): number {
  const left = new Map(outflows.map((outflow) => [outflow.keep, Number(outflow.amount)]))
  let value = 0
  for (const keep of keeps) value += gainOf(keep.curve, risk, Number(keep.staked) - (left.get(keep) ?? 0))
  for (const { target, amount } of inflows) value += gainOf(target.curve, risk, Number(amount))
  return value
}
