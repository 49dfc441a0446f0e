import { findBestSplit, type Split } from './best-split.ts'
import { splitIntoUnits } from './integer-split.ts'
import type { Keep, RebalanceProblem, Target } from './rebalance-problem.ts'
import { gainOf } from './reward-curve.ts'
import type { StakeOptions } from './stake-options.ts'
import { chooseTokens, type Position, type TokenPart } from './unstake-tokens.ts'
import { fillSlots } from './water-fill.ts'

/** What leaves one validator. */
export type Outflow = { readonly keep: Keep; readonly amount: bigint; readonly parts: readonly TokenPart[] }
/** What goes to another. */
export type Inflow = { readonly target: Target; readonly amount: bigint }
export type Moves = { readonly outflows: readonly Outflow[]; readonly inflows: readonly Inflow[] }

export const STAY: Moves = { outflows: [], inflows: [] }

/** A step has to be worth this much of the whole stake per year; otherwise the plan is better without it. */
const STEP_WORTH = 1e-5

/**
 * Turns the ideal split into moves that the network allows: whole tokens and parts it accepts, exactly as much
 * staked as unstaked, and no step that is hardly worth its transaction.
 */
export function movesFor(
  market: StakeOptions,
  problem: RebalanceProblem,
  split: Split,
  positions: ReadonlyMap<string, readonly Position[]>,
): Moves {
  const chosen = split.parts.filter(({ free }) => !free).map(({ curve }) => curve)
  const targets = problem.targets.filter(({ curve }) => chosen.includes(curve))
  const isWorth = isWorthLeaving(problem, split)
  const receiving = new Set(targets.map(({ option }) => option))
  const outflows = problem.keeps.flatMap((keep, index): Outflow[] => {
    if (receiving.has(keep.option)) return []
    const stays = split.parts[index]?.amount ?? 0
    const wanted = leaving(market, keep, stays)
    if (!isWorth(keep, Number(wanted))) return []
    const parts = chooseTokens(positions.get(keep.option.validatorId) ?? [], wanted, market.minStake)
    const amount = parts.reduce((sum, part) => sum + part.amount, 0n)
    return amount > 0n ? [{ keep, amount, parts }] : []
  })
  const moved = outflows.reduce((sum, { amount }) => sum + amount, 0n)
  const inflows = moved >= market.minStake ? inflowsFor(market, problem, targets, moved) : []
  return inflows.length > 0 ? { outflows, inflows } : STAY
}

/**
 * What should leave a validator, in whole units. A validator that falls below the joining stake is put out of the
 * set, and what stays there would earn nothing: then enough is left to keep it in, or everything leaves.
 */
function leaving({ minValidatorJoiningStake, minStake }: StakeOptions, keep: Keep, stays: number): bigint {
  const { staked, option } = keep
  const wanted = staked - BigInt(Math.floor(Math.min(stays, Number(staked))))
  if (wanted + minStake > staked) return staked
  const spare = option.stake - minValidatorJoiningStake
  return spare >= 0n && wanted > spare ? spare : wanted
}

/**
 * Whether the split would lose enough if an amount of a keep stayed where it is: what it is worth to the targets, which
 * then get less, beyond what it is worth there. That is at least the price of their last unit for each; where their
 * first units are worth much more, so is the amount.
 */
function isWorthLeaving({ split }: RebalanceProblem, { parts, price }: Split) {
  const { risk } = split
  const enough = STEP_WORTH * split.amount
  const arriving = parts.filter(({ free }) => !free)
  const total = arriving.reduce((sum, { amount }) => sum + amount, 0)
  const slots = arriving.map(({ curve }) => ({ curve, least: 0, most: total }))
  const arrivalOf = (amount: number): number =>
    amount > 0 ? (fillSlots(slots, amount, risk, price)?.value ?? 0) : 0
  return ({ curve, staked }: Keep, amount: number): boolean => {
    const held = Number(staked)
    const here = gainOf(curve, risk, held) - gainOf(curve, risk, held - amount)
    if (price * amount - here >= enough) return true
    return arrivalOf(total) - arrivalOf(total - amount) - here >= enough
  }
}

/** Shares out what was freed, among as few of the targets as lose next to nothing. */
function inflowsFor(
  market: StakeOptions,
  { split: { risk, amount: total } }: RebalanceProblem,
  targets: readonly Target[],
  moved: bigint,
): readonly Inflow[] {
  const least = market.minStake
  const affordable = moved / least < BigInt(targets.length) ? Number(moved / least) : targets.length
  const among = (maxChosen: number): Split | undefined =>
    findBestSplit({
      amount: Number(moved),
      risk,
      choices: targets.map(({ curve }) => curve),
      least: Number(least),
      most: Number(moved),
      maxChosen,
      free: [],
    })
  let best = among(affordable)
  for (let count = affordable - 1; best && count >= 1; count--) {
    const fewer = among(count)
    if (!fewer || best.value - fewer.value > STEP_WORTH * total) break
    best = fewer
  }
  if (!best) return []
  const parts = best.parts.flatMap(({ curve, amount }) => {
    const target = targets.find((one) => one.curve === curve)
    return target ? [{ target, near: amount }] : []
  })
  const slots = parts.map(({ target, near }) => ({
    curve: target.curve,
    stake: target.stake,
    least,
    most: moved,
    near,
  }))
  const units = splitIntoUnits(slots, moved, risk) ?? []
  return parts.flatMap(({ target }, index) => {
    const amount = units[index]
    return amount === undefined ? [] : [{ target, amount }]
  })
}
