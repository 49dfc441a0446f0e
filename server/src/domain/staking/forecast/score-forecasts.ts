import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import type { Forecast, ForecastSet } from '#ports/stores/forecasts.ts'
import { yearlyGrowth } from '../../network/year.ts'
import { realisedRate } from './past-errors.ts'
import { rankCorrelation } from './rank-correlation.ts'

/** The accuracy of the projections of one epoch, or of many. APYs in percent. */
export type Accuracy = {
  /** The number of projections whose epochs are over. */
  readonly forecasts: number
  /** The mean of paid minus projected. */
  readonly bias: number
  readonly meanAbsoluteError: number
  /**
   * The mean absolute error of two naive forecasts: persistence of the last epoch's rate, and the mean of the last
   * thirty.
   */
  readonly errorOfLast: number
  readonly errorOfMean: number
  /** The fraction of the outcomes inside their range; undefined without ranges. */
  readonly inside: number | undefined
  /** Between projected and paid, over the validators of an epoch. */
  readonly rankCorrelation: number
}

type EpochAccuracy = Accuracy & { readonly epoch: number }

/** The projections made in an epoch: the accuracy of the judged ones, and the numbers of those not judged. */
type MadeInEpoch = {
  readonly epoch: number
  readonly accuracy: Accuracy | undefined
  readonly pending: number
  readonly lost: number
  /** Whether its outcomes overlap with no block counted before. */
  readonly startsBlock: boolean
}

export type HorizonAccuracy = {
  readonly engineVersion: string
  readonly horizon: number
  /** Undefined until the first horizon is over. */
  readonly total: Accuracy | undefined
  readonly epochs: readonly EpochAccuracy[]
  /** All epochs in which projections were made. */
  readonly made: readonly MadeInEpoch[]
  /** The number of epochs whose outcomes do not overlap, and so are independent. */
  readonly blocks: number
  /** Projections whose epochs are not over, and those that cannot be judged because records are missing. */
  readonly pending: number
  readonly lost: number
}

type Past = {
  readonly records: ReadonlyMap<string, readonly EpochRecord[]>
  readonly newestEpoch: number
  readonly epochsPerYear: number
}

/** Judges projections. Stake made in an epoch earns from the next one on, so its horizon starts there. */
export function scoreForecasts(
  sets: readonly ForecastSet[],
  past: Past,
  horizons: readonly number[],
): readonly HorizonAccuracy[] {
  const recorded = recordedEpochs(past.records)
  const versions = Map.groupBy(sets, ({ engineVersion }) => engineVersion)
  return [...versions].flatMap(([engineVersion, ofVersion]) =>
    horizons.map((horizon): HorizonAccuracy => {
      const made = withBlocks(
        ofVersion.map((set) => judgeSet(set, horizon, past, recorded)),
        horizon,
      )
      const epochs = made.flatMap(({ epoch, accuracy }) => (accuracy ? [{ epoch, ...accuracy }] : []))
      const sum = (count: (one: MadeInEpoch) => number) => made.reduce((all, one) => all + count(one), 0)
      return {
        engineVersion,
        horizon,
        total: combineEpochs(epochs),
        epochs,
        made,
        blocks: sum(({ startsBlock }) => Number(startsBlock)),
        pending: sum(({ pending }) => pending),
        lost: sum(({ lost }) => lost),
      }
    }),
  )
}

type JudgedSet = Omit<MadeInEpoch, 'startsBlock'>

function judgeSet(set: ForecastSet, horizon: number, past: Past, recorded: ReadonlySet<number>): JudgedSet {
  const { epoch, forecasts } = set
  const none = { epoch, accuracy: undefined, pending: 0, lost: 0 }
  if (epoch + horizon > past.newestEpoch) return { ...none, pending: forecasts.length }
  if (!recorded.has(epoch + horizon)) return { ...none, lost: forecasts.length }
  const judged = forecasts.flatMap((forecast) => judge(forecast, set, horizon, past))
  const lost = forecasts.length - judged.length
  return { ...none, lost, accuracy: judged.length > 0 ? summarise(judged) : undefined }
}

type Judged = {
  readonly projected: number
  readonly paid: number
  readonly last: number
  readonly mean: number
  readonly isInside: boolean | undefined
}

/** After its last record a validator has paid nothing; one without records cannot be judged. */
function judge(forecast: Forecast, { epoch, ranges }: ForecastSet, horizon: number, past: Past): Judged[] {
  const rate = realisedRate(
    past.records.get(forecast.validatorId) ?? [],
    epoch + 1,
    horizon,
    past.epochsPerYear,
  )
  if (rate === undefined) return []
  const paid = 100 * yearlyGrowth(rate)
  const range = ranges.find(({ epochs }) => epochs === horizon)
  const growth = Math.log1p(forecast.apy / 100)
  return [
    {
      projected: forecast.apy,
      paid,
      last: forecast.last ?? forecast.apy,
      mean: forecast.mean ?? forecast.apy,
      isInside: range && rate >= growth * range.low && rate <= growth * range.high,
    },
  ]
}

function summarise(judged: readonly Judged[]): Accuracy {
  const mean = (value: (one: Judged) => number): number =>
    judged.reduce((sum, one) => sum + value(one), 0) / judged.length
  const hasRange = judged.some(({ isInside }) => isInside !== undefined)
  return {
    forecasts: judged.length,
    bias: mean(({ paid, projected }) => paid - projected),
    meanAbsoluteError: mean(({ paid, projected }) => Math.abs(paid - projected)),
    errorOfLast: mean(({ paid, last }) => Math.abs(paid - last)),
    errorOfMean: mean(({ paid, mean: usual }) => Math.abs(paid - usual)),
    inside: hasRange ? mean(({ isInside }) => Number(isInside)) : undefined,
    rankCorrelation: rankCorrelation(
      judged.map(({ projected }) => projected),
      judged.map(({ paid }) => paid),
    ),
  }
}

/** Weights every projection equally, but for the rank correlation every epoch. */
function combineEpochs(epochs: readonly EpochAccuracy[]): Accuracy | undefined {
  const forecasts = epochs.reduce((sum, one) => sum + one.forecasts, 0)
  if (forecasts === 0) return undefined
  const mean = (value: (one: EpochAccuracy) => number): number =>
    epochs.reduce((sum, one) => sum + one.forecasts * value(one), 0) / forecasts
  const ranged = epochs.filter(({ inside }) => inside !== undefined)
  const rangedForecasts = ranged.reduce((sum, one) => sum + one.forecasts, 0)
  return {
    forecasts,
    bias: mean(({ bias }) => bias),
    meanAbsoluteError: mean(({ meanAbsoluteError }) => meanAbsoluteError),
    errorOfLast: mean(({ errorOfLast }) => errorOfLast),
    errorOfMean: mean(({ errorOfMean }) => errorOfMean),
    inside:
      rangedForecasts > 0
        ? ranged.reduce((sum, one) => sum + one.forecasts * (one.inside ?? 0), 0) / rangedForecasts
        : undefined,
    rankCorrelation: epochs.reduce((sum, one) => sum + one.rankCorrelation, 0) / epochs.length,
  }
}

function withBlocks(made: readonly JudgedSet[], horizon: number): readonly MadeInEpoch[] {
  let next = Number.NEGATIVE_INFINITY
  return made.map((one) => {
    const startsBlock = one.accuracy !== undefined && one.epoch >= next
    if (startsBlock) next = one.epoch + horizon
    return { ...one, startsBlock }
  })
}

function recordedEpochs(records: Past['records']): ReadonlySet<number> {
  const epochs = new Set<number>()
  for (const ofPool of records.values()) for (const { epoch } of ofPool) epochs.add(epoch)
  return epochs
}
