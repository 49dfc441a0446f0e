import { smaller } from '../../amount.ts'
import type { Split } from '../solver/best-split.ts'
import { findCappedSplit } from '../solver/capped/capped-split.ts'
import { splitIntoCappedUnits } from '../solver/capped/capped-units.ts'
import type { StakeOptions } from '../stake-options.ts'
import { type Inflow, type Outflow, STEP_WORTH } from './flows.ts'
import type { RebalanceProblem, Target } from './problem.ts'

export type Freed = {
  readonly targets: readonly Target[]
  readonly funds: bigint
  readonly outflows: readonly Outflow[]
}

/** Distributes the freed stake over as few targets as possible without losing more than a negligible gain. */
export function inflowsFor(
  market: StakeOptions,
  problem: RebalanceProblem,
  { targets, funds, outflows }: Freed,
): readonly Inflow[] {
  const { risk, amount: total } = problem.split
  const least = market.minStake
  const groups = groupRooms(problem, targets, outflows)
  const affordable = funds / least < BigInt(targets.length) ? Number(funds / least) : targets.length
  const choices = targets.map(({ curve }) => curve)
  const among = (maxChosen: number): Split | undefined =>
    findCappedSplit(
      {
        amount: Number(funds),
        risk,
        choices,
        least: Number(least),
        most: Number(funds),
        maxChosen,
        free: [],
      },
      groups,
    )
  let best = among(affordable)
  for (let count = affordable - 1; best && count >= 1; count--) {
    const fewer = among(count)
    if (!fewer || best.value - fewer.value > STEP_WORTH * total) break
    best = fewer
  }
  const parts = (best?.parts ?? []).flatMap(({ curve, amount }) => {
    const target = targets.find((one) => one.curve === curve)
    return target ? [{ target, near: amount }] : []
  })
  const slots = parts.map(({ target: { curve, stake, room }, near }) => ({
    curve,
    stake,
    least,
    most: smaller(room, funds),
    near,
  }))
  const units = splitIntoCappedUnits(slots, funds, risk, groups) ?? []
  return parts.flatMap(({ target }, index) => {
    const amount = units[index]
    return amount === undefined ? [] : [{ target, amount }]
  })
}

/** The amount that each group may still receive beside the stake that stays in it. */
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
