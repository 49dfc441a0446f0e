import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import {
  DataAge,
  EpochNumber,
  Fraction,
  HistoryComplete,
  IsoTime,
  Milliseconds,
  NetworkName,
  NextChangeAt,
  Score,
  ScoreVersion,
  TokenSymbol,
} from '../fields.ts'

/** Current state of the network and the service. No credential. */
export const stateRows = {
  epoch: {
    tag: 'Staking data',
    summary: 'The present epoch',
    description: 'When the present epoch started, when it is due to end, and how far it is.',
    reply: z
      .object({
        epoch: EpochNumber,
        startTimestampMs: Milliseconds.meta({ description: 'When it started: Unix time in milliseconds.' }),
        endTimestampMs: Milliseconds.meta({
          description: 'When it is due to end: Unix time in milliseconds. The chain may be late.',
        }),
        durationMs: Milliseconds.meta({ description: 'How long it lasts, in milliseconds.' }),
        elapsedMs: Milliseconds.meta({ description: 'Milliseconds since its start.' }),
        remainingMs: Milliseconds.meta({ description: 'Milliseconds until it is due to end.' }),
        progress: Fraction.meta({ description: 'Fraction of the epoch that has passed, 0 to 1.' }),
        epochsPerYear: z.number().meta({ description: 'Epochs in 365 days.' }),
        nextCommitteeSelected: z.boolean().meta({
          description: 'Once true, stakes and withdrawals made now take one epoch longer.',
        }),
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
      })
      .meta({ id: 'Epoch' }),
    conditional: true,
  },
  price: {
    tag: 'Staking data',
    summary: 'Price of the token',
    description: 'The last known price of the token. `stale`: its source has not answered lately.',
    reply: z
      .object({
        symbol: TokenSymbol,
        priceUsd: z.number().positive().meta({ description: 'US dollars per whole token.' }),
        change24hPercent: z
          .number()
          .nullable()
          .meta({ description: 'Change of the price over 24 hours, in percent. Null: not known.' }),
        source: z.string().meta({ description: 'Source of the price.' }),
        updatedAt: IsoTime,
        dataAgeSeconds: DataAge.meta({ description: 'Seconds since `updatedAt`.' }),
        stale: z.boolean().meta({ description: 'Whether the source has not answered lately.' }),
        nextChangeAt: IsoTime.meta({
          description: 'When the source is next asked. A time in the past means that it has not answered.',
        }),
      })
      .meta({ id: 'Price' }),
    conditional: true,
  },
  scoring: {
    tag: 'Staking data',
    summary: 'How validators are scored',
    description:
      'Weights, gates, windows and every constant of the score, as the code uses them, with the formulas and a worked example.',
    reply: z
      .object({
        scoreVersion: ScoreVersion,
        weights: z
          .record(z.string(), z.number())
          .meta({ description: 'Weight of each component of the score.' }),
        gates: z
          .array(
            z.object({
              name: z.string().meta({ description: 'Name of the gate.' }),
              rule: z.string().meta({ description: 'When it excludes a validator.' }),
            }),
          )
          .meta({ description: 'Rules that exclude a validator: its score is 0.' }),
        windows: z
          .record(z.string(), z.number())
          .meta({ description: 'How many completed epochs each measure uses.' }),
        constants: z
          .record(z.string(), z.number())
          .meta({ description: 'Every other constant, by the name that the formulas use.' }),
        formulas: z
          .array(z.string())
          .meta({ description: 'How a score is computed from the public answers, step by step.' }),
        example: z
          .object({
            inputs: z.record(z.string(), z.number()).meta({ description: 'The inputs of one validator.' }),
            components: z
              .record(z.string(), z.number())
              .meta({ description: 'The parts of its score that follow from them.' }),
            score: Score,
          })
          .meta({ description: 'A worked example.' }),
      })
      .meta({ id: 'Scoring' }),
    conditional: true,
  },
  health: {
    tag: 'Staking data',
    summary: 'Health of the service',
    description:
      'Whether the service works, and how old its data are. Refuses with `store_not_ready` or `rpc_unavailable` while it is not ready.',
    reply: z
      .object({
        status: z.enum(['ok', 'degraded']).meta({ description: 'degraded: serving, but with old data.' }),
        version: z.string().meta({ description: 'Version of the service.' }),
        network: NetworkName,
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        historyComplete: HistoryComplete,
      })
      .meta({ id: 'Health' }),
  },
} as const satisfies Record<string, EndpointSpec>
