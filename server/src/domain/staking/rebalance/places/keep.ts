import { smaller } from '../../../amount.ts'
import { arriveOnTop, gainOf, type RewardCurve, rewardCurve, rewardOf } from '../../solver/reward-curve.ts'
import type { Slot } from '../../solver/water-fill.ts'
import { curveAt, type StakeOption, type StakeOptions } from '../../stake-options.ts'
import { type HeldToken, type TokenPart, tokenValue } from '../held-token.ts'
import { movesForFree, type SwitchingCost } from '../switching-rules.ts'

/** All that the caller has staked with one validator, rewards included. */
export type Holding = {
  readonly option: StakeOption
  readonly staked: bigint
  readonly tokens: readonly HeldToken[]
}

/** A holding with what it earns and how much of it the caller's limits allow. */
export type Limited = Holding & {
  readonly curve: RewardCurve
  readonly allowed: bigint
  /** The tokens that lose no epoch when they move. */
  readonly nimble: readonly HeldToken[]
}

/** A validator where stake may stay. Its stake counts up to the caller's limits. */
export type Keep = Limited & {
  /** The slots of what is allowed: at the bottom what loses an epoch when it moves, on top what does not. */
  readonly places: readonly Slot[]
  /** The slot of what is above the caller's limits. */
  readonly beyond: Slot | undefined
}

export function limitHolding(
  market: StakeOptions,
  holding: Holding,
  most: bigint,
  cost: SwitchingCost,
): Limited {
  const { pool } = market
  const { option, staked, tokens } = holding
  return {
    ...holding,
    curve: curveAt(pool, option, Number(othersStake(holding)), pool.totalStake),
    allowed: smaller(staked, most),
    nimble: tokens.filter((token) => movesForFree(token, option, market, cost)),
  }
}

/** Which part of a holding may not leave, because the horizon ends before it would earn elsewhere. */
export type Pinned = { readonly slow: boolean; readonly nimble: boolean }

type Weights = { readonly arrival: number; readonly risk: number; readonly pinned: Pinned }

/** What does not lose an epoch counts for the same part as what arrives: then it is free to go to a better place. */
export function placeHolding(held: Limited, { arrival, risk, pinned }: Weights): Keep {
  const { curve, staked, allowed } = held
  const bottom = Number(smaller(slowStake(held), allowed))
  const top = Number(allowed) - bottom
  const onTop = arriveOnTop(curve, bottom, { arrival, risk })
  const places = [
    { curve, least: pinned.slow ? bottom : 0, most: bottom },
    { curve: onTop, least: pinned.nimble ? top : 0, most: top },
  ].filter(({ most }) => most > 0)
  return { ...held, places, beyond: staked > allowed ? unpaid(0, Number(staked - allowed)) : undefined }
}

/** The stake that loses an epoch when it moves. */
export const slowStake = ({ staked, nimble }: Limited): bigint =>
  nimble.reduce((left, token) => left - tokenValue(token), staked)

/** What it is worth, in the terms of the problem, that so much stays; what is above the limits counts nothing. */
export function worthOfStaying({ places }: Keep, risk: number, stays: number): number {
  let [worth, left] = [0, stays]
  for (const { curve, most } of places) {
    const here = Math.min(left, most)
    worth += gainOf(curve, risk, here)
    left -= here
  }
  return worth
}

/** What the nimble part earns where it is in the epoch that the rest would lose. */
export function earnedMeanwhile(held: Limited, arrival: number): number {
  const { curve, allowed } = held
  const bottom = Number(smaller(slowStake(held), allowed))
  return (1 - arrival) * (rewardOf(curve, Number(allowed)) - rewardOf(curve, bottom))
}

type Holder = {
  readonly keeps: readonly Limited[]
  readonly idle: readonly TokenPart[]
  readonly heldBack: bigint
  readonly groups: readonly { readonly validatorIds: ReadonlySet<string>; readonly units: bigint }[]
}

/**
 * The validators that hold more than the caller's limits allow: by themselves, in a group, or because too little is at
 * hand otherwise.
 */
export function beyondLimits({ keeps, idle, heldBack, groups }: Holder): ReadonlySet<StakeOption> {
  const atHand = idle.reduce((sum, part) => sum + tokenValue(part), 0n)
  if (atHand < heldBack) return new Set(keeps.map(({ option }) => option))
  const inFullGroups = groups.flatMap(({ validatorIds, units }) => {
    const here = keeps.filter(({ option }) => validatorIds.has(option.validatorId))
    return here.reduce((sum, { staked }) => sum + staked, 0n) > units ? here : []
  })
  const tooLarge = keeps.filter(({ staked, allowed }) => staked > allowed)
  return new Set([...tooLarge, ...inFullGroups].map(({ option }) => option))
}

export const unpaid = (least: number, most: number): Slot => ({ curve: newUnpaid(), least, most })

/** A curve that pays nothing. Each slot needs its own, because slots are identified by their curves. */
const newUnpaid = (): RewardCurve =>
  rewardCurve({ stake: 1, slope: 0, knee: 0, decline: 0, cost: 0, variance: 0 })

/** The caller's own stake is part of the pool's; positions may be claimed that the pool does not hold. */
export const othersStake = ({ option, staked }: Pick<Holding, 'option' | 'staked'>): bigint =>
  atLeastOne(option.stake - staked)

export const atLeastOne = (stake: bigint): bigint => (stake > 0n ? stake : 1n)
