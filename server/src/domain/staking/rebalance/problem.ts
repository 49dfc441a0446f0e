import { smaller } from '../../amount.ts'
import type { GroupCap } from '../solver/capped/capped-split.ts'
import type { SplitProblem } from '../solver/dual-bound.ts'
import { arriveOnTop, type RewardCurve, rewardCurve } from '../solver/reward-curve.ts'
import type { Slot } from '../solver/water-fill.ts'
import { mayReceive, needsOneTransaction, type StakeLimits, shareOf } from '../stake-limits.ts'
import { curveAt, type StakeOption, type StakeOptions } from '../stake-options.ts'
import { type HeldToken, type TokenPart, tokenValue } from './held-token.ts'
import type { SwitchingCost } from './switching-rules.ts'

/** All that the caller has staked with one validator, rewards included. */
export type Holding = {
  readonly option: StakeOption
  readonly staked: bigint
  readonly tokens: readonly HeldToken[]
}

/** A validator where stake may stay. Its stake counts in full, up to the caller's limits. */
export type Keep = Holding & { readonly curve: RewardCurve; readonly allowed: bigint }
/** A validator where stake may go. Arriving stake counts less, because it starts to earn later. */
export type Target = {
  readonly option: StakeOption
  readonly curve: RewardCurve
  readonly stake: bigint
  /** The most that it may receive. */
  readonly room: bigint
}

export type RebalanceProblem = {
  readonly keeps: readonly Keep[]
  readonly targets: readonly Target[]
  /** Tokens whose withdrawal was requested before: they earn nothing where they are. */
  readonly idle: readonly TokenPart[]
  /** Coins that stay in the wallet. */
  readonly heldBack: bigint
  /** The first slots are those of the keeps, in their order; then what is above their limits, then the wallet. */
  readonly split: SplitProblem
  /** The caller's groups; stake that stays in a group and stake that moves into it share one cap. */
  readonly groups: readonly PlacedGroup[]
  /** The most stake that may move. */
  readonly mayMove: bigint
  /** A policy's `maxShare`: the largest part of all staked principal, for each validator that gets stake; undefined: no limit. */
  readonly principalShare: number | undefined
  /** The policy's limits per transaction. */
  readonly limits: Pick<StakeLimits, 'mostStaked' | 'mostTaken' | 'fewest' | 'principalShare'>
}

export type PlacedGroup = GroupCap & { readonly validatorIds: ReadonlySet<string>; readonly units: bigint }

export type RebalanceTerms = {
  readonly limits: StakeLimits
  readonly maxTargets: number
  /** The part of everything that may move. */
  readonly maxTurnover: number
  readonly risk: number
  readonly cost: SwitchingCost
  readonly heldBack: bigint
}

/**
 * Rebalancing as a split: what is held is shared out anew, among the places where it is (free of cost, as many as
 * there are) and places it could move to. What moves earns nothing while it is on its way, so a place has to be
 * better by that much before anything moves: the switching cost itself is the threshold. What is above the caller's
 * limits counts nothing where it is, and so does what is idle.
 */
export function rebalanceProblem(
  market: StakeOptions,
  holdings: readonly Holding[],
  idle: readonly TokenPart[],
  terms: RebalanceTerms,
): RebalanceProblem {
  const { pool, minStake } = market
  const { limits, heldBack, risk } = terms
  const idleValue = idle.reduce((sum, part) => sum + tokenValue(part), 0n)
  const total = holdings.reduce((sum, { staked }) => sum + staked, idleValue)
  const staked = total > heldBack ? total - heldBack : 0n
  const share = shareOf(staked, limits.maxShare ?? 1)
  const keeps = holdings.map((holding): Keep => {
    const curve = curveAt(pool, holding.option, Number(othersStake(holding)), pool.totalStake)
    const most = limits.exclude?.has(holding.option.validatorId) ? 0n : share
    return { ...holding, curve, allowed: smaller(holding.staked, most) }
  })
  const targets = targetsFor(market, keeps, share, terms)
  // A token that would be split too small stays whole: each validator may free less by that much.
  const cushion = heldBack > 0n ? heldBack + BigInt(keeps.length) * minStake : 0n
  const atLeast = Math.min(Number(total), Number(cushion))
  const wallet = Math.max(Number(idleValue), atLeast)
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
        ...keeps.map(({ curve, allowed }) => ({ curve, least: 0, most: Number(allowed) })),
        ...keeps.flatMap(({ staked, allowed }) =>
          staked > allowed ? [unpaid(0, Number(staked - allowed))] : [],
        ),
        ...(wallet > 0 ? [unpaid(atLeast, wallet)] : []),
      ],
    },
    groups: groupCaps(limits, keeps, targets, staked),
    mayMove: isTooFew(limits, keeps) ? 0n : mayMoveOf(limits, shareOf(total, terms.maxTurnover), idleValue),
    principalShare: limits.principalShare,
    limits,
  }
}

/** Whether stake lies with too few validators: then nothing may be taken out, and only others may get more. */
export const isTooFew = ({ fewest = 0 }: Pick<StakeLimits, 'fewest'>, { length }: readonly Keep[]): boolean =>
  length < fewest

/** Where all stakes must be one transaction, no more may move than one transaction may stake. */
function mayMoveOf(limits: StakeLimits, most: bigint, idle: bigint): bigint {
  if (limits.mostStaked === undefined || !needsOneTransaction(limits)) return most
  return smaller(most, limits.mostStaked > idle ? limits.mostStaked - idle : 0n)
}

function targetsFor(
  market: StakeOptions,
  keeps: readonly Keep[],
  share: bigint,
  { limits, cost, risk }: RebalanceTerms,
): readonly Target[] {
  const { pool, minStake } = market
  if (limits.mostStaked !== undefined && limits.mostStaked < minStake) return []
  const keepOf = new Map(keeps.map((keep) => [keep.option, keep]))
  return market.options.filter(mayReceive(limits)).flatMap((option): Target[] => {
    const keep = keepOf.get(option)
    if (keep && isTooFew(limits, keeps)) return []
    const curve = keep?.curve ?? curveAt(pool, option, Number(option.stake), pool.totalStake)
    const held = keep?.staked ?? 0n
    const cap = share - held
    if (cap < minStake) return []
    const stake = keep ? othersStake(keep) + held : atLeastOne(option.stake)
    const arriving = arriveOnTop(curve, Number(held), { arrival: cost.arrival, risk, cap: Number(cap) })
    return [{ option, curve: arriving, stake, room: cap }]
  })
}

function groupCaps(
  { groups = [] }: StakeLimits,
  keeps: readonly Keep[],
  targets: readonly Target[],
  staked: bigint,
): readonly PlacedGroup[] {
  return groups.map(({ validatorIds, maxShare }) => {
    const places = [...keeps, ...targets].filter(({ option }) => validatorIds.has(option.validatorId))
    const units = shareOf(staked, maxShare)
    const members = new Set(places.map(({ curve }) => curve))
    return { members, most: Number(units), validatorIds, units }
  })
}

/** The caps of a problem: the groups of the caller, and what may move. Placing idle coins is no turnover. */
export function capsOf({
  groups,
  targets,
  mayMove,
  idle,
  heldBack,
  split,
}: RebalanceProblem): readonly GroupCap[] {
  const placed = idle.reduce((sum, part) => sum + tokenValue(part), mayMove - heldBack)
  const most = Math.max(0, Number(placed))
  if (most >= split.amount) return groups
  return [...groups, { members: new Set(targets.map(({ curve }) => curve)), most }]
}

/** The same problem when no stake may move: only what is idle is placed. */
export function withoutMoves(problem: RebalanceProblem): RebalanceProblem {
  const { split, idle } = problem
  const wallet = idle.length > 0 || problem.heldBack > 0n ? split.free.length - 1 : split.free.length
  const free = split.free.map((slot, index) => (index < wallet ? { ...slot, least: slot.most } : slot))
  return { ...problem, split: { ...split, free } }
}

/**
 * The keeps that hold more than the caller's limits allow: by themselves, in a group, or because too little is at hand
 * otherwise.
 */
export function beyondLimits({ keeps, idle, heldBack, groups }: RebalanceProblem): ReadonlySet<Keep> {
  const atHand = idle.reduce((sum, part) => sum + tokenValue(part), 0n)
  if (atHand < heldBack) return new Set(keeps)
  const inFullGroups = groups.flatMap(({ validatorIds, units }) => {
    const here = keeps.filter(({ option }) => validatorIds.has(option.validatorId))
    return here.reduce((sum, { staked }) => sum + staked, 0n) > units ? here : []
  })
  return new Set([...keeps.filter(({ staked, allowed }) => staked > allowed), ...inFullGroups])
}

const unpaid = (least: number, most: number): Slot => ({ curve: newUnpaid(), least, most })

/** A curve that pays nothing. Each slot needs its own, because slots are identified by their curves. */
const newUnpaid = (): RewardCurve =>
  rewardCurve({ stake: 1, slope: 0, knee: 0, decline: 0, cost: 0, variance: 0 })

/** The caller's own stake is part of the pool's; positions may be claimed that the pool does not hold. */
const othersStake = ({ option, staked }: Pick<Holding, 'option' | 'staked'>): bigint =>
  atLeastOne(option.stake - staked)

const atLeastOne = (stake: bigint): bigint => (stake > 0n ? stake : 1n)
