import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { History } from '../../network/history.ts'
import { type Calibration, calibrate } from './calibration.ts'
import { pastErrors, ratiosFrom } from './past-errors.ts'
import type { PastProjections } from './past-projections.ts'

/**
 * Ranges are given for the mean of so many coming epochs. One epoch is mostly chance, and for thirty the histories at
 * hand tell too little: measured, nine outcomes of ten lay inside instead of eight.
 */
export const RANGE_EPOCHS = 7

/** By horizon in epochs; undefined where the history is too short. */
export type Calibrations = (epochs: number) => Calibration | undefined

/** Each horizon is computed when it is first asked for. */
export function rememberCalibrations(
  snapshot: ChainSnapshot,
  { byValidator }: History,
  projections: PastProjections,
): Calibrations {
  const known = new Map<number, Calibration | undefined>()
  return (epochs) => {
    if (!known.has(epochs)) {
      const errors = pastErrors(snapshot, byValidator, epochs, (origin) =>
        ratiosFrom(snapshot, byValidator, origin, epochs, projections.at(origin)),
      )
      known.set(epochs, errors && calibrate(errors))
    }
    return known.get(epochs)
  }
}
