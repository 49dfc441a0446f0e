import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { EpochNumber, FIGURES, IsoTime, NetworkName } from '../fields.ts'
import { oneOf } from '../inputs.ts'
import { fieldsQuery, listOf } from '../lists.ts'

const FORECAST_HORIZONS = ['1', '7', '30'] as const

const Difference = z.number().meta({ description: 'Percentage points of APY.' })

const figures = {
  forecasts: z.int().min(0).meta({ description: 'Projections whose epochs are over.' }),
  bias: Difference.meta({ description: 'Mean of paid less projected, in percentage points of APY.' }),
  meanAbsoluteError: Difference.meta({ description: 'Mean distance of paid from projected.' }),
  coverage: z.number().min(0).max(1).register(FIGURES, { figure: 'fraction' }).nullable().meta({
    description: 'Share of outcomes inside the range that was given; 0.8 is the target. Null: none was.',
  }),
  rankCorrelation: z
    .number()
    .min(-1)
    .max(1)
    .meta({ description: "Spearman's, between projected and paid over the validators of an epoch." }),
}

/** Over all scored projections. Null, not zero, while there are none. */
const totals = {
  ...figures,
  bias: Difference.nullable().meta({
    description: 'Mean of paid less projected, in percentage points of APY. Null: none is judged yet.',
  }),
  meanAbsoluteError: Difference.nullable().meta({
    description: 'Mean distance of paid from projected. Null: none is judged yet.',
  }),
  rankCorrelation: figures.rankCorrelation.nullable().meta({
    description:
      "Spearman's, between projected and paid over the validators of an epoch. Null: none is judged yet.",
  }),
}

const HorizonAccuracy = z
  .object({
    engineVersion: z.string().meta({ description: 'Of the code that projected.', examples: ['1'] }),
    horizon: z.int().min(1).meta({ description: 'Epochs that a projection is compared with.' }),
    ...totals,
    skill: z
      .object({
        lastEpoch: z.number().nullable().meta({ description: 'Against "the last epoch goes on".' }),
        mean: z.number().nullable().meta({ description: 'Against "the mean of 30 epochs goes on".' }),
      })
      .meta({
        description:
          '1 − error / error of a plain guess: 1 is perfect, 0 is no better, below 0 is worse. Null: nothing to compare with.',
      }),
    blocks: z.int().min(0).meta({
      description: 'Epochs whose outcomes do not overlap: that many are independent.',
    }),
    pending: z.int().min(0).meta({ description: 'Projections whose epochs are not over yet.' }),
    lost: z
      .int()
      .min(0)
      .meta({ description: 'Projections that cannot be judged: the records of their epochs are missing.' }),
    epochs: z
      .array(z.object({ epoch: EpochNumber, ...figures }))
      .meta({ description: 'The same per epoch in which projections were made. Ascending.' }),
  })
  .meta({ id: 'HorizonAccuracy', description: 'How the projections of one horizon turned out.' })

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
      'The first projection of every epoch and validator is recorded and compared with what was paid once its epochs are over. The last 120 epochs.',
    overHttp:
      'With `Accept: text/csv`, a line per horizon and epoch in which projections were made, with all that the figures are computed from: also the errors of both plain guesses, what is pending and lost, and whether the epoch starts a block.',
    query: z.object({
      horizon: oneOf(FORECAST_HORIZONS).optional().meta({ description: 'Only this horizon, in epochs.' }),
      network: z
        .string()
        .optional()
        .meta({ description: 'Has to be the network that this service serves, if given.' }),
      engineVersion: z.string().optional().meta({ description: 'Only projections of this version.' }),
      ...fieldsQuery(RESULTS),
    }),
    list: RESULTS,
    reply: z
      .object({
        network: NetworkName,
        engineVersion: z.string().meta({ description: 'Of the code that projects now.' }),
        level: z
          .number()
          .meta({ description: 'Share of outcomes that ranges are meant to hold.' })
          .register(FIGURES, { figure: 'fraction' }),
        since: IsoTime.nullable().meta({ description: 'When the oldest projection on record was made.' }),
        epoch: EpochNumber.meta({ description: 'The present epoch.' }),
        nextChangeAt: IsoTime.meta({
          description:
            'When the epoch ends, and projections are judged anew. In the past: the chain is late.',
        }),
        results: z
          .array(HorizonAccuracy)
          .meta({ description: 'By version and horizon. Empty before the first projection.' }),
      })
      .meta({ id: 'Accuracy' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>
