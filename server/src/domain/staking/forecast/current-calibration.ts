import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { History } from '../../network/history.ts'
import { type Calibration, calibrate } from './calibration.ts'
import { outcomesFrom, pastErrors, pastOrigins } from './past-errors.ts'
import type { PastProjections } from './past-projections.ts'

/**
 * Ranges are given for the mean of so many coming epochs. One epoch is mostly chance, and what thirty tell comes late:
 * for so long after a change of the network, their ranges are those of the time before it.
 */
export const RANGE_EPOCHS = 7

/** By horizon in epochs; undefined where the history is too short. */
export type Calibrations = (epochs: number) => Calibration | undefined

type Prepared = {
  readonly snapshot: ChainSnapshot
  readonly history: History
  readonly projections: PastProjections
  readonly calibration: Calibrations
}

/**
 * Computes the calibrations of these horizons ahead of the first request that needs them: one projection of the past at
 * a time, because all of them together would hold up requests for a third of a second.
 */
export async function prepareCalibrations(
  { snapshot, history, projections, calibration }: Prepared,
  horizons: readonly number[],
  pause: () => Promise<void>,
): Promise<void> {
  for (const epochs of horizons) {
    const { origins = [] } = pastOrigins(snapshot, history.byValidator, epochs) ?? {}
    for (const origin of origins.filter((one) => !projections.known.has(one))) {
      projections.at(origin)
      await pause()
    }
    calibration(epochs)
    await pause()
  }
}

/** Each horizon is computed when it is first asked for. */
export function rememberCalibrations(
  snapshot: ChainSnapshot,
  { byValidator }: History,
  projections: PastProjections,
): Calibrations {
  const known = new Map<number, Calibration | undefined>()
  return (epochs) => {
    if (!known.has(epochs)) {
      const errors = pastErrors(snapshot, byValidator, epochs, {
        outcomesAt: (origin) => outcomesFrom(snapshot, byValidator, origin, epochs, projections.at(origin)),
      })
      known.set(epochs, errors && calibrate(errors))
    }
    return known.get(epochs)
  }
}
