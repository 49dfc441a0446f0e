import { smaller } from '../../amount.ts'
import type { Split } from '../solver/best-split.ts'
import { findCappedSplit } from '../solver/capped/capped-split.ts'
import { halfOf, newSearchWork, type SearchWork } from '../solver/capped/search-work.ts'
import { splitIntoCappedUnits } from '../solver/capped/units/capped-units.ts'
import { findWhole } from '../solver/capped/units/find-whole.ts'
import { newUnitCheck, type UnitCheck } from '../solver/capped/units/unit-check.ts'
import type { UnitGroup } from '../solver/capped/units/unit-groups.ts'
import { marginalGain, type RewardCurve, rewardCurve } from '../solver/reward-curve.ts'
import type { StakeOptions } from '../stake-options.ts'
import { type Inflow, type Outflow, STEP_WORTH } from './flows.ts'
import type { RebalanceProblem, Target } from './problem.ts'

type SearchOptions = { readonly work: SearchWork; readonly check: UnitCheck | undefined }

type Freed = {
  readonly targets: readonly Target[]
  readonly funds: bigint
  readonly outflows: readonly Outflow[]
}

/**
 * Distributes the freed stake over as few targets as possible without losing more than a negligible gain. Stake that
 * does not fit stays in the wallet: tokens cannot be split to the unit, so more may be freed than the limits have
 * room for.
 */
export function inflowsFor(
  market: StakeOptions,
  problem: RebalanceProblem,
  { targets, funds, outflows }: Freed,
): readonly Inflow[] {
  const { risk, amount: total } = problem.split
  const { minStake } = market
  const groups = groupRooms(problem, targets, outflows)
  const affordable = funds / minStake < BigInt(targets.length) ? Number(funds / minStake) : targets.length
  if (affordable <= 0) return []
  const wallet = { curve: worseThan(targets, risk, Number(funds)), least: 0, most: Number(funds) }
  const among = (maxChosen: number, options: SearchOptions): Split | undefined =>
    findCappedSplit(
      {
        amount: Number(funds),
        risk,
        choices: targets.map(({ curve }) => curve),
        least: Number(minStake),
        most: Number(funds),
        maxChosen,
        free: [wallet],
      },
      groups,
      options,
    )
  const amongFew = (check?: UnitCheck): Split | undefined => {
    const work = newSearchWork()
    let best = among(affordable, { work: halfOf(work), check })
    for (let count = affordable - 1; best && count >= 1 && work.units > 0; count--) {
      const fewer = among(count, { work: halfOf(work), check })
      if (!fewer || best.value - fewer.value > STEP_WORTH * total) break
      best = fewer
    }
    return best
  }
  const places = { targets, funds, minStake, wallet: wallet.curve }
  const found = findWhole(
    amongFew,
    (split) => inUnits(split, places, risk, groups),
    () => newUnitCheck({ amount: funds, groups, slotOf: slotsIn(places) }),
  )
  return found.split ? found.units : []
}

/**
 * The curve of the wallet: every unit loses more than the last unit of any target, so it is used only as a last
 * resort.
 */
function worseThan(targets: readonly Target[], risk: number, funds: number): RewardCurve {
  const worst = targets.reduce((low, { curve }) => Math.min(low, marginalGain(curve, risk, funds)), 0)
  return rewardCurve({ stake: 1, slope: 0, knee: 0, decline: 0, cost: 1 - worst, variance: 0 })
}

type Places = Pick<Freed, 'targets' | 'funds'> & { readonly minStake: bigint; readonly wallet: RewardCurve }

/** The bounds of a target or the wallet in whole units. */
const slotsIn =
  ({ targets, funds, minStake }: Places) =>
  (curve: RewardCurve) => {
    const target = targets.find((one) => one.curve === curve)
    return target
      ? { curve, stake: target.stake, least: minStake, most: smaller(target.room, funds) }
      : { curve, stake: 1n, least: 0n, most: funds }
  }

function inUnits(
  { parts }: Split,
  places: Places,
  risk: number,
  groups: readonly UnitGroup[],
): readonly Inflow[] | undefined {
  const { targets, funds, wallet } = places
  const slotOf = slotsIn(places)
  const slots = parts.map(({ curve, amount: near }) => ({ ...slotOf(curve), near }))
  if (!parts.some(({ curve }) => curve === wallet)) slots.push({ ...slotOf(wallet), near: 0 })
  const units = splitIntoCappedUnits(slots, funds, risk, groups)
  return units?.flatMap((amount, index) => {
    const target = targets.find(({ curve }) => curve === slots[index]?.curve)
    return target ? [{ target, amount }] : []
  })
}

/** The amount that each group may still receive in addition to the stake that stays in it. */
function groupRooms(
  { groups, keeps }: RebalanceProblem,
  targets: readonly Target[],
  outflows: readonly Outflow[],
) {
  const left = new Map(outflows.map(({ keep, amount }) => [keep, amount]))
  return groups.map(({ validatorIds, units: most }) => {
    const stays = keeps.reduce(
      (sum, keep) =>
        validatorIds.has(keep.option.validatorId) ? sum + keep.staked - (left.get(keep) ?? 0n) : sum,
      0n,
    )
    const units = most > stays ? most - stays : 0n
    const inside = targets.filter(({ option }) => validatorIds.has(option.validatorId))
    return { members: new Set(inside.map(({ curve }) => curve)), most: Number(units), units }
  })
}
