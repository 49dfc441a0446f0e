import { openSandboxChain } from '../../server/src/adapters/sandbox/sandbox-chain.ts'
import { epochsPerYear } from '../../server/src/domain/network/year.ts'
import { calibrate, rangeAround } from '../../server/src/domain/staking/forecast/calibration.ts'
import { pastErrors, ratiosFrom, realisedRate } from '../../server/src/domain/staking/forecast/past-errors.ts'
import { projectAt } from '../../server/src/domain/staking/forecast/past-market.ts'
import type { ChainSnapshot, EpochRecord } from '../../server/src/ports/chain/staking-chain.ts'
import { memoryStates } from '../../server/test/sandbox/test-chain.ts'
import { marketViews } from './market-view.ts'
import type { Scenario } from './scenario.ts'

type Past = {
  readonly snapshot: ChainSnapshot
  readonly records: ReadonlyMap<string, readonly EpochRecord[]>
}

export type Coverage = {
  readonly horizon: number
  readonly epochs: number
  readonly outcomes: number
  /** Parts of the outcomes inside, below and above their ranges. */
  readonly inside: number
  readonly below: number
  readonly above: number
  /** Of all validators together in equal parts: how many epochs were inside. */
  readonly together: number
  /** The mean width of the ranges, and what was paid over what was projected, as parts of the projection. */
  readonly width: number
  readonly bias: number
}

/**
 * Projects every past epoch anew with what was recorded before it, range included, and looks where the outcome lies.
 * Undefined when the history is too short. `from` is the first epoch that is looked at.
 */
export function measureCoverage(
  { snapshot, records }: Past,
  horizon: number,
  from = 1,
): Coverage | undefined {
  const perYear = epochsPerYear(snapshot.epoch.durationMs)
  const ratios = remember((origin) => ratiosFrom(snapshot, records, origin, horizon))
  let [epochs, outcomes, below, above, together, width, bias] = [0, 0, 0, 0, 0, 0, 0]
  for (let epoch = from; epoch + horizon <= snapshot.epoch.number; epoch++) {
    const then = { ...snapshot, epoch: { ...snapshot.epoch, number: epoch } }
    const errors = pastErrors(then, records, horizon, ratios)
    const calibration = errors && calibrate(errors)
    if (!calibration) continue
    epochs++
    const rates = [...projectAt(snapshot, records, epoch)]
    let [paidSum, projectedSum] = [0, 0]
    for (const [id, rate] of rates) {
      const paid = realisedRate(records.get(id) ?? [], epoch, horizon, perYear)
      if (paid === undefined) continue
      const projected = 100 * Math.expm1(perYear * Math.log1p(rate / perYear))
      const range = rangeAround(calibration, projected)
      const outcome = 100 * Math.expm1(paid)
      outcomes++
      if (outcome < range.low) below++
      if (outcome > range.high) above++
      width += (range.high - range.low) / projected
      bias += outcome / projected - 1
      paidSum += outcome
      projectedSum += projected
    }
    const weights = rates.map(() => 1 / rates.length)
    const range = rangeAround(calibration, projectedSum / rates.length, weights)
    const mean = paidSum / rates.length
    if (mean >= range.low && mean <= range.high) together++
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
  }
}

/** The same origins are looked back at from many epochs. */
function remember<T>(make: (epoch: number) => T): (epoch: number) => T {
  const known = new Map<number, T>()
  return (epoch) => {
    const value = known.get(epoch) ?? make(epoch)
    known.set(epoch, value)
    return value
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
      `  ${String(horizon).padStart(2)} epochs ahead: ${percent(found.inside)} inside, ${percent(found.below)} below,` +
        ` ${percent(found.above)} above; all together ${percent(found.together)}; width ${percent(found.width)},` +
        ` bias ${percent(found.bias)}; ${found.outcomes} outcomes of ${found.epochs} epochs`,
    )
  }
}

/** The history of a scenario as the chain would have recorded it. */
export function recordedPast(scenario: Scenario): Past {
  const view = marketViews(scenario)
  let past: Past | undefined
  for (const [index, latest] of scenario.history.entries()) {
    past = view(latest, scenario.history.slice(0, index + 1))
  }
  if (!past) throw new Error('The history has no epochs.')
  return past
}

const DAY_MS = 86_400_000

/** A simulated chain after so many epochs of a day. */
export async function sandboxPast(seed: number, epochs: number): Promise<Past> {
  const clock = { now: () => 1_800_000_000_000 }
  const chain = await openSandboxChain({ seed, epochMs: DAY_MS, clock, states: memoryStates() })
  await chain.advance(epochs)
  const deadline = AbortSignal.timeout(60_000)
  const snapshot = await chain.readSnapshot(deadline)
  const records = Map.groupBy(await chain.readEpochs(0, deadline), ({ validatorId }) => validatorId)
  return { snapshot, records }
}
