import type { Checked, Reply } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { History } from '#domain/network/history.ts'
import { epochsPerYear } from '#domain/network/year.ts'
import { RANGE_LEVEL } from '#domain/staking/forecast/calibration.ts'
import {
  ENGINE_VERSION,
  HORIZONS,
  isRecordable,
  isRecorded,
} from '#domain/staking/forecast/record-forecasts.ts'
import {
  type Accuracy,
  type HorizonAccuracy,
  scoreForecasts,
} from '#domain/staking/forecast/score-forecasts.ts'
import type { Forecasts } from '#ports/stores/forecasts.ts'
import { toIso } from '../../basics/iso-time.ts'
import { Fault, wrongField } from '../../fault.ts'
import type { Endpoints } from '../endpoint.ts'
import { toPercent } from './shapes.ts'

/** Only the projections of the last epochs are judged, to bound the time. */
const JUDGED_EPOCHS = 120

type Needs = { readonly network: CurrentNetwork; readonly forecasts: Forecasts }
type Judged = {
  readonly since: number | undefined
  readonly results: readonly HorizonAccuracy[]
  /** False while the projections made from this history are still to be stored. */
  readonly isComplete: boolean
}

/** The accuracy of earlier projections, cached until the history changes. */
export function accuracyEndpoints({ network, forecasts }: Needs) {
  let known: { readonly history: History; readonly judged: Promise<Judged> } | undefined
  const judge = async (view: ReturnType<CurrentNetwork['read']>): Promise<Judged> => {
    const { snapshot, history } = view
    const sets = await forecasts.since(snapshot.network, snapshot.epoch.number - JUDGED_EPOCHS)
    const past = {
      records: history.byValidator,
      newestEpoch: history.newestEpoch ?? -1,
      epochsPerYear: epochsPerYear(snapshot.epoch.durationMs),
    }
    return {
      since: sets[0]?.madeAt,
      results: scoreForecasts(sets, past, HORIZONS),
      isComplete: !isRecordable(view) || isRecorded(sets, snapshot.epoch.number),
    }
  }
  return {
    accuracy: {
      requires: 'data',
      handle: async (query, { prefers }) => {
        const view = network.read()
        const { snapshot, history } = view
        refuseOther(query.network, snapshot.network)
        if (known?.history !== history) known = { history, judged: judge(view) }
        const { since, results, isComplete } = await known.judged.catch((failure) => {
          known = undefined
          throw failure
        })
        // The view is served before the projections made from it are stored, which takes a while.
        if (!isComplete) known = undefined
        const wanted = results.filter(isWanted(query))
        if (prefers(['text/csv', 'application/json']) === 'text/csv') {
          refuseFields(query)
          return { answer: toCsv(wanted) }
        }
        return {
          reply: {
            network: snapshot.network,
            engineVersion: ENGINE_VERSION,
            level: RANGE_LEVEL,
            since: since === undefined ? null : toIso(since),
            epoch: snapshot.epoch.number,
            nextChangeAt: toIso(snapshot.epoch.startedAt + snapshot.epoch.durationMs),
            results: wanted.map(toResult),
          },
        }
      },
    },
  } satisfies Endpoints
}

function refuseOther(asked: string | undefined, served: string): void {
  if (asked === undefined || asked === served) return
  throw wrongField('network', `must be ${served}, the network that this service serves`)
}

/** `fields` and `view` select fields of results, but a line of the CSV is one epoch of a result. */
function refuseFields({ fields, view }: Checked<'accuracy'>): void {
  const field = fields ? 'fields' : view === 'compact' ? 'view' : undefined
  if (field === undefined) return
  const fix = `Leave out \`${field}\`, or ask for JSON.`
  throw new Fault(
    'invalid_input',
    `\`${field}\` cannot be used with CSV, which has the same columns always. ${fix}`,
    {
      details: [{ field, message: 'cannot be used with `Accept: text/csv`' }],
      fix,
    },
  )
}

const isWanted =
  ({ horizon, engineVersion }: Checked<'accuracy'>) =>
  (result: HorizonAccuracy): boolean =>
    (horizon === undefined || Number(horizon) === result.horizon) &&
    (engineVersion === undefined || engineVersion === result.engineVersion)

const NOTHING = {
  forecasts: 0,
  bias: null,
  meanAbsoluteError: null,
  coverage: null,
  rankCorrelation: null,
} as const

const toFigures = ({ forecasts, bias, meanAbsoluteError, inside, rankCorrelation }: Accuracy) => ({
  forecasts,
  bias: toPercent(bias),
  meanAbsoluteError: toPercent(meanAbsoluteError),
  coverage: inside === undefined ? null : toPercent(inside),
  rankCorrelation: toPercent(rankCorrelation),
})

function toResult(result: HorizonAccuracy): Reply<'accuracy'>['results'][number] {
  const { engineVersion, horizon, total, epochs, blocks, pending, lost } = result
  const skill = (error: number | undefined): number | null =>
    total && error ? toPercent(1 - total.meanAbsoluteError / error) : null
  return {
    engineVersion,
    horizon,
    ...(total ? toFigures(total) : NOTHING),
    skill: { lastEpoch: skill(total?.errorOfLast), mean: skill(total?.errorOfMean) },
    blocks,
    pending,
    lost,
    epochs: epochs.map((one) => ({ epoch: one.epoch, ...toFigures(one) })),
  }
}

const COLUMNS = [
  'engineVersion',
  'horizon',
  'epoch',
  'forecasts',
  'bias',
  'meanAbsoluteError',
  'coverage',
  'rankCorrelation',
  'errorOfLastEpoch',
  'errorOfMean',
  'pending',
  'lost',
  'startsBlock',
].join(',')

/** One line for each epoch of each result. Unknown values are empty. */
function toCsv(results: readonly HorizonAccuracy[]) {
  const lines = results.flatMap(({ engineVersion, horizon, made }) =>
    made.map(({ epoch, accuracy, pending, lost, startsBlock }) => {
      const { forecasts, bias, meanAbsoluteError, coverage, rankCorrelation } = accuracy
        ? toFigures(accuracy)
        : NOTHING
      const figures = [forecasts, bias, meanAbsoluteError, coverage, rankCorrelation]
      const guesses = accuracy ? [accuracy.errorOfLast, accuracy.errorOfMean].map(toPercent) : [null, null]
      return [engineVersion, horizon, epoch, ...figures, ...guesses, pending, lost, Number(startsBlock)].join(
        ',',
      )
    }),
  )
  return {
    body: `${[COLUMNS, ...lines].join('\n')}\n`,
    mediaType: 'text/csv; charset=utf-8',
  }
}
