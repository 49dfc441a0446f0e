import { smaller } from '../../../amount.ts'
import type { Split } from '../../solver/best-split.ts'
import { arriveOnTop, gainOf, type RewardCurve, rewardCurve, rewardOf } from '../../solver/reward-curve.ts'
import type { Slot } from '../../solver/water-fill.ts'
import { curveAt, type StakeOption, type StakeOptions } from '../../stake-options.ts'
import { type HeldToken, type TokenPart, tokenValue } from '../held-token.ts'
import { movesForFree, type SwitchingCost } from '../switching-rules.ts'
import type { Holding } from './holdings.ts'

/** A holding with its reward curve and the amount that the caller's limits allow. */
export type Limited = Holding & {
  readonly curve: RewardCurve
  readonly allowed: bigint
  /** The tokens that lose no epoch of rewards if they move. */
  readonly freeToMove: readonly HeldToken[]
}

/** A holding as slots of the split problem: stake within the caller's limits, and stake beyond them. */
export type Keep = Limited & {
  /** The slots of the stake within the limits: first the stake that loses an epoch if it moves, then the rest. */
  readonly places: readonly Slot[]
  /** The slot of the stake above the caller's limits. */
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
    freeToMove: tokens.filter((token) => movesForFree(token, option, market, cost)),
  }
}

/** The parts of a holding that may not leave, because the horizon ends before they would earn elsewhere. */
export type Pinned = { readonly costly: boolean; readonly freeToMove: boolean }

type Weights = { readonly arrival: number; readonly risk: number; readonly pinned: Pinned }

/**
 * Makes the slots of a holding. Moving stake counts for the fraction `arrival` at its new place. Stake that is free to
 * move counts for the same fraction at its current place, so that it goes wherever the rate is higher.
 */
export function placeHolding(held: Limited, { arrival, risk, pinned }: Weights): Keep {
  const { curve, staked, allowed } = held
  const bottom = Number(smaller(costlyStake(held), allowed))
  const top = Number(allowed) - bottom
  const onTop = arriveOnTop(curve, bottom, { arrival, risk })
  const places = [
    { curve, least: pinned.costly ? bottom : 0, most: bottom },
    { curve: onTop, least: pinned.freeToMove ? top : 0, most: top },
  ].filter(({ most }) => most > 0)
  return { ...held, places, beyond: staked > allowed ? unpaid(0, Number(staked - allowed)) : undefined }
}

/** The stake that loses an epoch of rewards if it moves. */
export const costlyStake = ({ staked, freeToMove }: Limited): bigint =>
  freeToMove.reduce((left, token) => left - tokenValue(token), staked)

/** The gain of the part of a holding that stays; stake above the limits counts nothing. */
export function worthOfStaying({ places }: Keep, risk: number, stays: number): number {
  let [worth, left] = [0, stays]
  for (const { curve, most } of places) {
    const here = Math.min(left, most)
    worth += gainOf(curve, risk, here)
    left -= here
  }
  return worth
}

/** The stake that the split leaves with a validator, including the part above the caller's limits. */
export function remainingStake({ places, beyond, allowed, staked }: Keep, { parts }: Split): bigint {
  const rounding = 1e-12 * Number(staked)
  const own = new Set(places.map(({ curve }) => curve))
  let [within, above] = [0, 0]
  for (const { curve, amount } of parts) {
    if (own.has(curve)) within += amount
    if (curve === beyond?.curve) above += amount
  }
  const kept = within >= Number(allowed) - rounding ? allowed : BigInt(Math.floor(within))
  return above > rounding ? smaller(staked, kept + BigInt(Math.floor(above))) : kept
}

/**
 * The rewards of stake that is free to move, at its current place, in the epoch that other stake would lose by
 * moving.
 */
export function earnedMeanwhile(held: Limited, arrival: number): number {
  const { curve, allowed } = held
  const bottom = Number(smaller(costlyStake(held), allowed))
  return (1 - arrival) * (rewardOf(curve, Number(allowed)) - rewardOf(curve, bottom))
}

type Holder = {
  readonly keeps: readonly Limited[]
  readonly idle: readonly TokenPart[]
  readonly heldBack: bigint
  readonly groups: readonly { readonly validatorIds: ReadonlySet<string>; readonly units: bigint }[]
}

/**
 * The validators with more stake than the caller's limits allow: by themselves, in a group, or (then all validators)
 * because idle stake is less than `heldBack`.
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

/** The pool's stake without the caller's; at least 1, because a caller may claim more than the pool holds. */
export const othersStake = ({ option, staked }: Pick<Holding, 'option' | 'staked'>): bigint =>
  atLeastOne(option.stake - staked)

export const atLeastOne = (stake: bigint): bigint => (stake > 0n ? stake : 1n)
