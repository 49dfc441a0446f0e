import type { SplitProblem } from '../solver/dual-bound.ts'
import { type RewardCurve, rewardCurve } from '../solver/reward-curve.ts'
import { curveAt, type StakeOption, type StakeOptions } from '../stake-options.ts'
import { type HeldToken, type TokenPart, tokenValue } from './held-token.ts'
import type { SwitchingCost } from './switching-rules.ts'

/** All that the caller has staked with one validator, rewards included. */
export type Holding = {
  readonly option: StakeOption
  readonly staked: bigint
  readonly tokens: readonly HeldToken[]
}

/** Where stake may stay: everything there counts in full. */
export type Keep = Holding & { readonly curve: RewardCurve }
/** Where stake may go: what arrives counts less, because it arrives later. */
export type Target = { readonly option: StakeOption; readonly curve: RewardCurve; readonly stake: bigint }

export type RebalanceProblem = {
  readonly keeps: readonly Keep[]
  readonly targets: readonly Target[]
  /** Tokens whose withdrawal was requested before: they earn nothing where they are. */
  readonly idle: readonly TokenPart[]
  readonly split: SplitProblem
}

export type RebalanceTerms = {
  readonly maxTargets: number
  readonly risk: number
  readonly cost: SwitchingCost
  readonly mayReceive: (option: StakeOption) => boolean
}

/**
 * Rebalancing as a split: what is held is shared out anew, among the places where it is (free of cost, as many as
 * there are) and places it could move to. What moves earns nothing while it is on its way, so a place has to be
 * better by that much before anything moves: the switching cost itself is the threshold. What is idle has
 * a place of its own, which pays nothing.
 */
export function rebalanceProblem(
  market: StakeOptions,
  holdings: readonly Holding[],
  idle: readonly TokenPart[],
  { maxTargets, risk, cost, mayReceive }: RebalanceTerms,
): RebalanceProblem {
  const { pool, minStake } = market
  const keeps = holdings.map((holding): Keep => {
    const curve = curveAt(pool, holding.option, Number(othersStake(holding)), pool.totalStake)
    return { ...holding, curve }
  })
  const keepOf = new Map(keeps.map((keep) => [keep.option, keep]))
  const targets = market.options.filter(mayReceive).map((option): Target => {
    const keep = keepOf.get(option)
    const curve = keep?.curve ?? curveAt(pool, option, Number(option.stake), pool.totalStake)
    const staked = Number(keep?.staked ?? 0n)
    const stake = keep ? othersStake(keep) + keep.staked : atLeastOne(option.stake)
    return { option, curve: arriveOnTop(curve, staked, cost.arrival, risk), stake }
  })
  const idleValue = idle.reduce((sum, part) => sum + tokenValue(part), 0n)
  const total = keeps.reduce((sum, { staked }) => sum + staked, idleValue)
  const affordable = Math.min(maxTargets, Number(total / minStake), targets.length)
  const places = keeps.map(({ curve, staked }) => ({ curve, least: 0, most: Number(staked) }))
  return {
    keeps,
    targets,
    idle,
    split: {
      amount: Number(total),
      risk,
      choices: targets.map(({ curve }) => curve),
      least: Number(minStake),
      most: Number(total),
      maxChosen: affordable,
      free: idle.length > 0 ? [...places, { curve: NO_REWARD, least: 0, most: Number(idleValue) }] : places,
    },
  }
}

/** The same problem when no stake may move: only what is idle is placed. */
export function withoutMoves(problem: RebalanceProblem): RebalanceProblem {
  const { split, keeps } = problem
  const free = split.free.map((slot, index) => (index < keeps.length ? { ...slot, least: slot.most } : slot))
  return { ...problem, split: { ...split, free } }
}

/**
 * The curve of what is added to `staked` that is there already, and counts for the part `arrival`. The same pool,
 * seen from further up: the caller's own stake is now part of what shares the pot, and of the risk.
 */
export function arriveOnTop(curve: RewardCurve, staked: number, arrival: number, risk: number): RewardCurve {
  return rewardCurve({
    stake: curve.stake + staked,
    slope: arrival * curve.slope,
    knee: Math.max(0, curve.knee - staked),
    decline: arrival * curve.decline,
    cost: curve.cost + risk * curve.variance * staked,
    variance: curve.variance,
  })
}

const NO_REWARD = rewardCurve({ stake: 1, slope: 0, knee: 0, decline: 0, cost: 0, variance: 0 })

/** The caller's own stake is part of the pool's; positions may be claimed that the pool does not hold. */
const othersStake = ({ option, staked }: Pick<Holding, 'option' | 'staked'>): bigint =>
  atLeastOne(option.stake - staked)

const atLeastOne = (stake: bigint): bigint => (stake > 0n ? stake : 1n)
