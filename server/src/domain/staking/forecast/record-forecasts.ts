import type { Clock } from '#ports/clock.ts'
import type { ForecastSet, Forecasts } from '#ports/stores/forecasts.ts'
import type { CurrentNetwork } from '../../network/current-network.ts'
import type { NetworkView } from '../../network/network-view.ts'
import { compoundYearly, epochsPerYear } from '../../network/year.ts'
import { rangeParts } from './calibration.ts'
import { prepareCalibrations } from './current-calibration.ts'
import { projectedRates } from './past-market.ts'

/** Raised with every change of projections or ranges, so that accuracy is reported per version. */
export const ENGINE_VERSION = '6'
/** The horizons of forecasts, in epochs. */
export const HORIZONS = [1, 7, 30] as const
/** The number of epochs for which a set of forecasts is stored; far longer than the longest horizon. */
const KEPT_EPOCHS = 400

type Needs = {
  readonly network: CurrentNetwork
  readonly forecasts: Forecasts
  readonly clock: Clock
  /** Whether calibrations are computed before a request needs them. */
  readonly preparesAhead: boolean
  /** Yields to the event loop. */
  readonly pause: () => Promise<void>
}

/** Stores the projections once per epoch, from the first complete view of the epoch. */
export function recordForecasts({
  network,
  forecasts,
  clock,
  preparesAhead,
  pause,
}: Needs): () => Promise<void> {
  let recorded = -1
  return async () => {
    const view = network.peek()
    const epoch = view?.snapshot.epoch.number
    if (!view || epoch === undefined || epoch === recorded || !isRecordable(view)) return
    if (preparesAhead) await prepareCalibrations(view, HORIZONS, pause)
    if (!(await isOnRecord(forecasts, view))) {
      await forecasts.add(forecastsIn(view, clock.now()), epoch - KEPT_EPOCHS)
    }
    recorded = epoch
  }
}

/** Whether the forecasts are stored already, by another instance or by this one before a restart. */
async function isOnRecord(forecasts: Forecasts, { snapshot }: NetworkView): Promise<boolean> {
  const { number } = snapshot.epoch
  return isRecorded(await forecasts.since(snapshot.network, number), number)
}

/** Whether a view's forecasts are stored: those of a history that lacks the last epoch are not. */
export const isRecordable = ({ snapshot, history }: NetworkView): boolean =>
  history.newestEpoch === snapshot.epoch.number - 1

/** Whether the sets contain the forecasts of an epoch by this version. */
export const isRecorded = (sets: readonly ForecastSet[], epoch: number): boolean =>
  sets.some((set) => set.epoch === epoch && set.engineVersion === ENGINE_VERSION)

/** The forecasts for a negligible stake with each eligible validator. */
function forecastsIn(view: NetworkView, madeAt: number): ForecastSet {
  const { snapshot, scored, byId, apyPoints, calibration } = view
  const perYear = epochsPerYear(snapshot.epoch.durationMs)
  return {
    network: snapshot.network,
    engineVersion: ENGINE_VERSION,
    epoch: snapshot.epoch.number,
    madeAt,
    ranges: HORIZONS.flatMap((epochs) => {
      const known = calibration(epochs)
      if (!known) return []
      return [{ epochs, ...rangeParts(known) }]
    }),
    forecasts: [...projectedRates(snapshot, scored)].map(([validatorId, rate]) => ({
      validatorId,
      apy: 100 * compoundYearly(rate, perYear),
      last: apyPoints(validatorId).at(-1)?.apy,
      mean: byId.get(validatorId)?.apy?.long,
    })),
  }
}
