import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { History } from '../../network/history.ts'
import { type Calibration, calibrate } from './calibration.ts'
import { pastErrors, pastOrigins } from './past-errors.ts'
import type { PastProjections } from './past-projections.ts'

/**
 * The horizon of published ranges: the mean over this many coming epochs. A single epoch is mostly chance; thirty
 * would lag behind a change of the network by thirty epochs.
 */
export const RANGE_EPOCHS = 7

/** The calibration by horizon in epochs; undefined if the history is too short. */
export type Calibrations = (epochs: number) => Calibration | undefined

type Prepared = {
  readonly snapshot: ChainSnapshot
  readonly history: History
  readonly projections: PastProjections
  readonly calibration: Calibrations
}

/**
 * Computes the calibrations of these horizons before a request needs them. It pauses after each projection of the
 * past, because all of them together would block the event loop for a third of a second.
 */
export async function prepareCalibrations(
  { snapshot, history, projections, calibration }: Prepared,
  horizons: readonly number[],
  pause: () => Promise<void>,
): Promise<void> {
  for (const epochs of horizons) {
    const { origins = [] } = pastOrigins(snapshot, history.byValidator, epochs) ?? {}
    for (const origin of origins.filter((one) => !projections.known.rates.has(one))) {
      projections.at(origin)
      await pause()
    }
    calibration(epochs)
    await pause()
  }
}

/** A cache of calibrations: each horizon is computed on first use. */
export function rememberCalibrations(
  snapshot: ChainSnapshot,
  { byValidator }: History,
  projections: PastProjections,
): Calibrations {
  const known = new Map<number, Calibration | undefined>()
  return (epochs) => {
    if (!known.has(epochs)) {
      const errors = pastErrors(snapshot, byValidator, epochs, {
        outcomesAt: (origin) => projections.outcomesAt(origin, epochs),
        flowAt: projections.flowAt,
      })
      known.set(epochs, errors && calibrate(errors))
    }
    return known.get(epochs)
  }
}
