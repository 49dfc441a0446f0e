import { larger, smaller } from '../../amount.ts'
import type { GroupCap } from '../solver/capped/capped-split.ts'
import type { SplitProblem } from '../solver/dual-bound.ts'
import { arriveOnTop, type RewardCurve } from '../solver/reward-curve.ts'
import { canReceiveStake, needsOneTransaction, type StakeLimits, shareOf } from '../stake-limits.ts'
import { curveAt, type StakeOption, type StakeOptions } from '../stake-options.ts'
import { NOWHERE, type TokenPart, tokenValue } from './held-token.ts'
import type { Holding } from './places/holdings.ts'
import {
  atLeastOne,
  beyondLimits,
  costlyStake,
  earnedMeanwhile,
  type Keep,
  type Limited,
  limitHolding,
  othersStake,
  type Pinned,
  placeHolding,
  unpaid,
} from './places/keep.ts'
import { movesForFree, type SwitchingCost } from './switching-rules.ts'

/** Limits a plan to this many transactions of a kind, apart from one for each token and target. */
const MAX_TRANSACTIONS = 100n

/** A validator that may receive stake. Its curve counts arriving stake less if it starts to earn later. */
export type Target = {
  readonly option: StakeOption
  readonly curve: RewardCurve
  readonly stake: bigint
  /** The upper bound of the amount that it may receive. */
  readonly room: bigint
}

export type RebalanceProblem = {
  readonly keeps: readonly Keep[]
  readonly targets: readonly Target[]
  /** Tokens whose withdrawal was requested before: they earn nothing. */
  readonly idle: readonly TokenPart[]
  /** Coins that stay in the wallet. */
  readonly heldBack: bigint
  /** Its free slots: the places of the keeps, then their stake above the limits, then the wallet. */
  readonly split: SplitProblem
  /** The fraction for which arriving stake counts: 1 if no stake that may move loses an epoch. */
  readonly arrival: number
  /**
   * The rewards of stake that is free to move in the epoch that other stake would lose. Included in every value and
   * bound.
   */
  readonly granted: number
  /** The caller's groups; stake that stays in a group and stake that moves into it share one cap. */
  readonly groups: readonly PlacedGroup[]
  /** The upper bound of the stake that may move. */
  readonly mayMove: bigint
  /**
   * A policy's `maxShare`: the largest fraction of all staked principal with a validator that gets stake;
   * undefined: no limit.
   */
  readonly principalShare: number | undefined
  /** The upper bound of the amount that may be staked; undefined: no limit. */
  readonly mayStake: bigint | undefined
  /**
   * The stakes of an epoch must be one transaction, or several equal ones: made separately they would break the
   * policy.
   */
  readonly isJoint: boolean
  /** The policy's limits per transaction. */
  readonly limits: Pick<
    StakeLimits,
    'mostStaked' | 'mostRequested' | 'mostWithdrawn' | 'fewest' | 'principalShare'
  >
}

type PlacedGroup = GroupCap & { readonly validatorIds: ReadonlySet<string>; readonly units: bigint }

type RebalanceTerms = {
  readonly limits: StakeLimits
  readonly maxTargets: number
  /** The fraction of all stake that may move, 0…1. */
  readonly maxTurnover: number
  readonly risk: number
  readonly cost: SwitchingCost
  readonly heldBack: bigint
  /** Whether stakes that must be one transaction may be several equal ones, each of which keeps the policy. */
  readonly mayRepeat: boolean
}

/**
 * Models rebalancing as a split problem: all stake is distributed again over its current validators (free slots,
 * without cost) and possible targets. Moving stake earns nothing on its way, so a target must be better by that
 * amount: the switching cost itself is the threshold. Stake that is free to move counts for the same fraction at its
 * current place and at a target. Stake above the caller's limits and idle stake count nothing where they are.
 */
export function rebalanceProblem(
  market: StakeOptions,
  holdings: readonly Holding[],
  idle: readonly TokenPart[],
  terms: RebalanceTerms,
): RebalanceProblem {
  const { minStake } = market
  const { limits, heldBack, risk, cost } = terms
  const idleValue = idle.reduce((sum, part) => sum + tokenValue(part), 0n)
  const total = holdings.reduce((sum, { staked }) => sum + staked, idleValue)
  const staked = total > heldBack ? total - heldBack : 0n
  const { maxShare = 1 } = limits
  const share = maxShare < 1 ? shareOf(staked, maxShare) : total
  const limited = holdings.map((holding) =>
    limitHolding(market, holding, limits.exclude?.has(holding.option.validatorId) ? 0n : share, cost),
  )
  const rooms = (limits.groups ?? []).map(({ validatorIds, maxShare }) => ({
    validatorIds,
    units: shareOf(staked, maxShare),
  }))
  const forced = beyondLimits({ keeps: limited, idle, heldBack, groups: rooms })
  const pinned = ({ option }: Limited): Pinned => ({
    costly: !forced.has(option) && cost.horizonEpochs <= cost.stillEarning + cost.idle,
    freeToMove: !forced.has(option) && cost.horizonEpochs <= cost.stillEarning,
  })
  const isCostly =
    limited.some((held) => costlyStake(held) > 0n && !pinned(held).costly) ||
    idle.some(({ token }) => !movesForFree(token, NOWHERE, market, cost))
  const arrival = isCostly ? cost.arrival : 1
  const keeps = limited.map((held) => placeHolding(held, { arrival, risk, pinned: pinned(held) }))
  const targets = targetsFor(market, keeps, share, { ...terms, arrival })
  const isJoint = needsOneTransaction(limits, keeps.length)
  const mayStake =
    limits.mostStaked && limits.mostStaked * (isJoint && !terms.mayRepeat ? 1n : MAX_TRANSACTIONS)
  // Idle coins are staked first; coins held back need not be staked.
  const mayPlace = mayStake && larger(0n, mayStake + heldBack - idleValue)
  const mayMove = isTooFew(limits, keeps)
    ? 0n
    : mayMoveOf(limits, shareOf(total, terms.maxTurnover), mayPlace)
  const atHand = smaller(heldBack, idleValue + mayMove)
  return {
    keeps,
    targets,
    idle,
    heldBack,
    split: {
      amount: Number(total),
      risk,
      choices: targets.map(({ curve }) => curve),
      least: Number(minStake),
      most: Number(total),
      maxChosen: Math.min(terms.maxTargets, Number(total / minStake), targets.length),
      free: [
        ...keeps.flatMap(({ places }) => places),
        ...keeps.flatMap(({ beyond }) => beyond ?? []),
        ...(idleValue > 0n || heldBack > 0n
          ? [unpaid(Number(atHand), Number(larger(idleValue, atHand)))]
          : []),
      ],
    },
    arrival,
    granted: limited.reduce((sum, held) => sum + earnedMeanwhile(held, arrival), 0),
    groups: rooms.map((room) => groupCap(room, keeps, targets)),
    mayMove,
    mayStake,
    isJoint,
    principalShare: limits.principalShare,
    limits,
  }
}

/**
 * Whether stake lies with too few validators: then nothing may be taken out, and only new validators may get stake.
 */
export const isTooFew = ({ fewest = 0 }: Pick<StakeLimits, 'fewest'>, { length }: readonly Keep[]): boolean =>
  length < fewest

/**
 * The upper bound of the stake that may move: the turnover, and what the transactions of a plan may take out and
 * stake.
 */
function mayMoveOf(
  { mostRequested, mostWithdrawn }: StakeLimits,
  turnover: bigint,
  mayPlace: bigint | undefined,
): bigint {
  const mayTake = [mostRequested, mostWithdrawn].map((most) => most && most * MAX_TRANSACTIONS)
  return [mayPlace, ...mayTake].reduce<bigint>((least, most) => smaller(least, most ?? least), turnover)
}

function targetsFor(
  market: StakeOptions,
  keeps: readonly Keep[],
  share: bigint,
  { limits, arrival, risk }: RebalanceTerms & { readonly arrival: number },
): readonly Target[] {
  const { pool, minStake } = market
  if (limits.mostStaked !== undefined && limits.mostStaked < minStake) return []
  const keepOf = new Map(keeps.map((keep) => [keep.option, keep]))
  return market.options.filter(canReceiveStake(limits)).flatMap((option): Target[] => {
    const keep = keepOf.get(option)
    if (keep && isTooFew(limits, keeps)) return []
    const curve = keep?.curve ?? curveAt(pool, option, Number(option.stake), pool.totalStake)
    const held = keep?.staked ?? 0n
    const cap = share - held
    if (cap < minStake) return []
    const stake = keep ? othersStake(keep) + held : atLeastOne(option.stake)
    const arriving = arriveOnTop(curve, Number(held), { arrival, risk, cap: Number(cap) })
    return [{ option, curve: arriving, stake, room: cap }]
  })
}

function groupCap(
  { validatorIds, units }: Pick<PlacedGroup, 'validatorIds' | 'units'>,
  keeps: readonly Keep[],
  targets: readonly Target[],
): PlacedGroup {
  const isInside = ({ option }: Pick<Target, 'option'>): boolean => validatorIds.has(option.validatorId)
  const staying = keeps.filter(isInside).flatMap(({ places }) => places.map(({ curve }) => curve))
  const arriving = targets.filter(isInside).map(({ curve }) => curve)
  return { members: new Set([...staying, ...arriving]), most: Number(units), validatorIds, units }
}

/** The caps of a problem: the caller's groups, and the stake that may move. Placing idle coins is no turnover. */
export function capsOf({
  groups,
  targets,
  mayMove,
  mayStake,
  idle,
  heldBack,
  split,
}: RebalanceProblem): readonly GroupCap[] {
  const placed = idle.reduce((sum, part) => sum + tokenValue(part), mayMove - heldBack)
  const most = Math.max(0, Number(smaller(placed, mayStake ?? placed)))
  if (most >= split.amount) return groups
  return [...groups, { members: new Set(targets.map(({ curve }) => curve)), most }]
}

/** The same problem if no stake may move: only idle stake is placed. */
export function withoutMoves(problem: RebalanceProblem): RebalanceProblem {
  const { split, idle } = problem
  const wallet = idle.length > 0 || problem.heldBack > 0n ? split.free.length - 1 : split.free.length
  const free = split.free.map((slot, index) => (index < wallet ? { ...slot, least: slot.most } : slot))
  return { ...problem, split: { ...split, free } }
}

/** The same problem if `more` coins have to stay in the wallet. */
export function withLiquid(problem: RebalanceProblem, more: bigint): RebalanceProblem {
  const { split } = problem
  const free = split.free.map((slot, index) => {
    if (index < split.free.length - 1) return slot
    const least = Math.min(split.amount, slot.least + Number(more))
    return { ...slot, least, most: Math.max(least, slot.most) }
  })
  return { ...problem, split: { ...split, free } }
}
