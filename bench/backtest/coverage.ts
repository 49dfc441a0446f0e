import { epochsPerYear } from '../../server/src/domain/network/year.ts'
import { calibrate, rangeAround } from '../../server/src/domain/staking/forecast/calibration.ts'
import {
  outcomesFrom,
  pastErrors,
  realisedRate,
} from '../../server/src/domain/staking/forecast/past-errors.ts'
import { projectAt } from '../../server/src/domain/staking/forecast/past-market.ts'
import { rememberEpochs } from '../../server/src/domain/staking/forecast/remember-epochs.ts'
import { flowIn } from '../../server/src/domain/staking/forecast/stake-flow.ts'
import type { ChainSnapshot, EpochRecord } from '../../server/src/ports/chain/staking-chain.ts'
import { blockInterval, blockMeans } from './block-interval.ts'
import { marketViews } from './market-view.ts'
import type { Scenario } from './scenario.ts'

export type Past = {
  readonly snapshot: ChainSnapshot
  readonly records: ReadonlyMap<string, readonly EpochRecord[]>
}

export type Coverage = {
  readonly horizon: number
  readonly epochs: number
  readonly outcomes: number
  /** Shares of the outcomes inside, below and above their ranges. */
  readonly inside: number
  readonly below: number
  readonly above: number
  /** The share of epochs in which the equally weighted mean of all outcomes lay inside its range. */
  readonly together: number
  /** The mean width of the ranges and the mean error (paid minus projected), relative to the projection. */
  readonly width: number
  readonly bias: number
  /** The share of each epoch's outcomes that lay inside. */
  readonly byEpoch: readonly { readonly epoch: number; readonly inside: number }[]
}

/**
 * Projects every epoch from `from` on again, with its range, from the records before it, and compares the outcome with
 * the range. Validators and epochs without an outcome do not count. Undefined if the history is too short.
 */
export function measureCoverage(
  { snapshot, records }: Past,
  horizon: number,
  from = 1,
  projected = rememberEpochs((origin: number) => projectAt(snapshot, records, origin)),
): Coverage | undefined {
  const perYear = epochsPerYear(snapshot.epoch.durationMs)
  const remembered = {
    outcomesAt: rememberEpochs((origin) =>
      outcomesFrom(snapshot, records, origin, horizon, projected(origin)),
    ),
    flowAt: rememberEpochs((epoch) => flowIn(records, epoch)),
  }
  const byEpoch: { epoch: number; inside: number }[] = []
  let [epochs, outcomes, below, above, together, width, bias] = [0, 0, 0, 0, 0, 0, 0]
  for (let epoch = from; epoch + horizon <= snapshot.epoch.number; epoch++) {
    const then = { ...snapshot, epoch: { ...snapshot.epoch, number: epoch } }
    const errors = pastErrors(then, records, horizon, remembered)
    const calibration = errors && calibrate(errors)
    if (!calibration) continue
    const paidRates = [...projected(epoch)].flatMap(([id, rate]) => {
      const paid = realisedRate(records.get(id) ?? [], epoch, horizon, perYear)
      return paid === undefined ? [] : [{ rate, paid }]
    })
    if (paidRates.length === 0) continue
    epochs++
    outcomes += paidRates.length
    const outsideBefore = below + above
    let [paidSum, projectedSum] = [0, 0]
    for (const { rate, paid } of paidRates) {
      const apy = 100 * Math.expm1(perYear * Math.log1p(rate / perYear))
      const range = rangeAround(calibration, apy)
      const outcome = 100 * Math.expm1(paid)
      if (outcome < range.low) below++
      if (outcome > range.high) above++
      width += (range.high - range.low) / apy
      bias += outcome / apy - 1
      paidSum += outcome
      projectedSum += apy
    }
    const count = paidRates.length
    const range = rangeAround(calibration, projectedSum / count, Array(count).fill(1 / count))
    const mean = paidSum / count
    if (mean >= range.low && mean <= range.high) together++
    byEpoch.push({ epoch, inside: 1 - (below + above - outsideBefore) / count })
  }
  if (outcomes === 0) return undefined
  return {
    horizon,
    epochs,
    outcomes,
    inside: 1 - (below + above) / outcomes,
    below: below / outcomes,
    above: above / outcomes,
    together: together / epochs,
    width: width / outcomes,
    bias: bias / outcomes,
    byEpoch,
  }
}

export function printCoverage(title: string, past: Past, horizons: readonly number[]): void {
  console.log(`${title}: ranges for four of five outcomes`)
  for (const horizon of horizons) {
    const found = measureCoverage(past, horizon)
    if (!found) {
      console.log(`  ${String(horizon).padStart(2)} epochs ahead: the history is too short`)
      continue
    }
    const percent = (part: number): string => `${(100 * part).toFixed(1)} %`
    console.log(
      `  ${String(horizon).padStart(2)} epochs ahead: ${percent(found.inside)} inside` +
        ` (${formatInterval(blockInterval(blockMeans(found.byEpoch, horizon)))}), ${percent(found.below)} below,` +
        ` ${percent(found.above)} above; all together ${percent(found.together)}; width ${percent(found.width)},` +
        ` bias ${percent(found.bias)}; ${found.outcomes} outcomes of ${found.epochs} epochs`,
    )
  }
}

/** The 95% confidence interval as printed. */
export const formatInterval = ({ low, high, blocks }: ReturnType<typeof blockInterval>): string =>
  `${Math.round(100 * low)} … ${Math.round(100 * high)} % by ${blocks} blocks`

/** The snapshot and records that a chain would have at the end of the scenario's history. */
export function recordedPast(scenario: Scenario): Past {
  const view = marketViews(scenario)
  let past: Past | undefined
  for (const [index, latest] of scenario.history.entries()) {
    past = view(latest, scenario.history.slice(0, index + 1))
  }
  if (!past) throw new Error('The history has no epochs.')
  return past
}
