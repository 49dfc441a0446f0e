import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { EpochNumber, FIGURES, IsoTime, NetworkName } from '../fields.ts'
import { oneOf } from '../inputs.ts'
import { fieldsQuery, listOf } from '../lists.ts'

const FORECAST_HORIZONS = ['1', '7', '30'] as const

const Difference = z.number().meta({ description: 'Percentage points of APY.' })

const figures = {
  forecasts: z.int().min(0).meta({ description: 'Number of projections whose epochs are over.' }),
  bias: Difference.meta({ description: 'Mean of actual minus projected APY, in percentage points.' }),
  meanAbsoluteError: Difference.meta({
    description: 'Mean absolute difference between actual and projected APY, in percentage points.',
  }),
  coverage: z.number().min(0).max(1).register(FIGURES, { figure: 'fraction' }).nullable().meta({
    description:
      'Fraction of outcomes inside the projected range; 0.8 is the target. Null: no range was projected.',
  }),
  rankCorrelation: z.number().min(-1).max(1).meta({
    description:
      'Spearman’s rank correlation of projected and actual APY over the validators of an epoch, −1 to 1.',
  }),
}

/** Over all scored projections. Null, not zero, while there are none. */
const totals = {
  ...figures,
  bias: Difference.nullable().meta({
    description: 'Mean of actual minus projected APY, in percentage points. Null: none is compared yet.',
  }),
  meanAbsoluteError: Difference.nullable().meta({
    description:
      'Mean absolute difference between actual and projected APY, in percentage points. Null: none is compared yet.',
  }),
  rankCorrelation: figures.rankCorrelation.nullable().meta({
    description:
      'Spearman’s rank correlation of projected and actual APY over the validators of an epoch, −1 to 1. Null: none is compared yet.',
  }),
}

const HorizonAccuracy = z
  .object({
    engineVersion: z
      .string()
      .meta({ description: 'Version of the code that made the projections.', examples: ['1'] }),
    horizon: z.int().min(1).meta({
      description: 'Number of epochs after a projection over which it is compared with the actual rewards.',
    }),
    ...totals,
    skill: z
      .object({
        lastEpoch: z
          .number()
          .nullable()
          .meta({ description: 'Compared with the guess that the last epoch repeats.' }),
        mean: z
          .number()
          .nullable()
          .meta({ description: 'Compared with the guess that the mean of the last 30 epochs continues.' }),
      })
      .meta({
        description:
          '1 − error / error of a simple guess: 1 is perfect, 0 is as good as the guess, below 0 is worse. Null: nothing to compare with.',
      }),
    blocks: z.int().min(0).meta({
      description: 'Number of epochs whose outcomes do not overlap in time: so many are independent.',
    }),
    pending: z.int().min(0).meta({ description: 'Projections whose epochs are not over yet.' }),
    lost: z
      .int()
      .min(0)
      .meta({ description: 'Projections that cannot be compared: the records of their epochs are missing.' }),
    epochs: z
      .array(z.object({ epoch: EpochNumber, ...figures }))
      .meta({ description: 'The same figures for each epoch in which projections were made, ascending.' }),
  })
  .meta({ id: 'HorizonAccuracy', description: 'Accuracy of the projections of one version and horizon.' })

const RESULTS = listOf('results', HorizonAccuracy, [
  'engineVersion',
  'horizon',
  'forecasts',
  'bias',
  'meanAbsoluteError',
  'coverage',
  'skill',
])

/** Accuracy of earlier projections. No credential. */
export const accuracyRows = {
  accuracy: {
    tag: 'Staking data',
    summary: 'Accuracy of earlier projections',
    description:
      'How well projections matched: the first one of every epoch and validator is compared with the actual rewards once its epochs are over. The last 120 epochs.',
    overHttp:
      'With `Accept: text/csv`, a line per horizon and epoch in which projections were made, with all that the figures are computed from: also the errors of both simple guesses, how many are pending and lost, and whether the epoch starts a block.',
    query: z.object({
      horizon: oneOf(FORECAST_HORIZONS).optional().meta({ description: 'Only this horizon, in epochs.' }),
      network: z.string().optional().meta({ description: 'Must be the network of this service, if given.' }),
      engineVersion: z.string().optional().meta({ description: 'Only projections of this version.' }),
      ...fieldsQuery(RESULTS),
    }),
    list: RESULTS,
    reply: z
      .object({
        network: NetworkName,
        engineVersion: z.string().meta({ description: 'Version of the code that makes projections now.' }),
        level: z
          .number()
          .meta({ description: 'Fraction of outcomes that a range is meant to contain.' })
          .register(FIGURES, { figure: 'fraction' }),
        since: IsoTime.nullable().meta({ description: 'When the oldest projection on record was made.' }),
        epoch: EpochNumber.meta({ description: 'The present epoch.' }),
        nextChangeAt: IsoTime.meta({
          description:
            'When the epoch ends and projections are compared again. In the past: the chain is late.',
        }),
        results: z
          .array(HorizonAccuracy)
          .meta({ description: 'By version and horizon. Empty before the first projection.' }),
      })
      .meta({ id: 'Accuracy' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>
