import { z } from 'zod'
import { ChainId, ChainIdInput } from './chain-id.ts'
import type { EndpointSpec } from './endpoint.ts'
import {
  Amount,
  DataAge,
  EpochNumber,
  Fraction,
  IneligibleReasons,
  IsoTime,
  Milliseconds,
  NetworkName,
  Percent,
  Score,
  ScoreComponents,
  ScoreVersion,
  TokenSymbol,
  UptimeSource,
  ValidatorName,
  ValidatorStatus,
} from './fields.ts'
import { oneOf, wholeFrom } from './inputs.ts'

const NullableAmount = Amount.nullable().meta({ description: 'Null where the network cannot tell.' })

export const Validator = z
  .object({
    id: ChainId,
    name: ValidatorName,
    status: ValidatorStatus,
    totalStake: Amount.meta({ description: 'Active stake with its rewards.' }),
    commissionRate: Fraction.meta({ description: 'Share of the rewards the validator keeps, 0 to 1.' }),
    stakingRewards: Amount.meta({ description: 'Rewards of stakers that nobody has withdrawn yet.' }),
    withdrawingStake: Amount.meta({ description: 'Stake whose withdrawal is requested and not due yet.' }),
    claimableStake: NullableAmount.meta({
      description: 'Stake that may be withdrawn now. Null where the network cannot tell.',
    }),
    apy: Percent.nullable().meta({
      description: 'Percent per 365 days, from completed epochs. Null: no history yet.',
    }),
    uptime: Fraction.nullable().meta({
      description: 'Share of the last 30 completed epochs it performed in. Null: no history yet.',
    }),
    uptimeSource: UptimeSource.nullable().meta({
      description: 'What the uptime was measured by. Null: no history yet.',
    }),
    score: Score.nullable().meta({ description: 'Composite score, 0 to 100. Null: not scored yet.' }),
    components: ScoreComponents.nullable().meta({
      description: 'What the score is made of. Null: not scored yet.',
    }),
    ineligible: IneligibleReasons,
    pendingStake: Amount.meta({ description: 'Stake that becomes active in a coming epoch.' }),
    nextCommissionRate: Fraction.meta({
      description: 'The announced commission; equal to the present one if none is.',
    }),
  })
  .meta({ id: 'Validator' })

const ScoringInputs = z
  .object({
    rewardShape: z.enum(['equal-share', 'proportional']).meta({
      description: 'equal-share: every member is paid the same · proportional: by stake, up to a cap.',
    }),
    capShare: Fraction.nullable().meta({
      description: 'The share of all stake above which a validator is paid no more; null for equal pay.',
    }),
    minValidatorJoiningStake: Amount.meta({ description: 'Below it a validator loses its place.' }),
    competingStake: Amount.meta({
      description: 'In a full set: the stake of the largest one outside. 0: nobody is pushed out.',
    }),
  })
  .meta({ id: 'ScoringInputs', description: 'What scores depend on beside the validators themselves.' })

const ValidatorDetail = Validator.extend({
  epoch: EpochNumber,
  dataAgeSeconds: DataAge,
}).meta({ id: 'ValidatorDetail' })

const ValidatorId = z.object({ id: ChainIdInput.meta({ description: 'Id of the validator.' }) })

const HistoryQuery = z.object({
  period: oneOf(['7d', '30d', '90d', '1y', 'all']).default('30d').meta({ description: 'How far back.' }),
  interval: oneOf(['epoch', 'day', 'week'])
    .default('epoch')
    .meta({ description: 'One item per epoch, or the mean of each UTC day or week (Monday to Sunday).' }),
  limit: wholeFrom(1, 365)
    .default(100)
    .meta({ description: 'Items in the answer: the newest ones after `offset`.' }),
  offset: wholeFrom(0, 1_000_000).default(0).meta({ description: 'Newest items to leave out.' }),
})

const ExchangeRate = z
  .object({
    tokens: z
      .string()
      .regex(/^[1-9][0-9]{0,38}$/)
      .meta({ description: 'Smallest units.' }),
    shares: z
      .string()
      .regex(/^[1-9][0-9]{0,38}$/)
      .meta({ description: 'Shares of the pool.' }),
  })
  .meta({ id: 'ExchangeRate', description: '`shares` of the pool are worth `tokens` smallest units.' })

const ApyHistory = z
  .object({
    data: z
      .array(
        z.object({
          epoch: EpochNumber.meta({ description: 'The (last) epoch the item stands for.' }),
          timestamp: IsoTime.meta({ description: 'When that epoch ended.' }),
          apy: Percent,
          commissionRate: Fraction,
          totalStake: Amount,
          performed: z.boolean().nullable().meta({
            description:
              'Whether it was in the committee and did its work. Null: the network cannot tell, or the item stands for several epochs or the whole network.',
          }),
          exchangeRate: ExchangeRate.nullable().meta({
            description:
              'The pool’s rate when the epoch ended; null for the network as a whole. A stake of x that became active in epoch a pays, in epoch w, x · shares / tokens at the end of a − 1, times tokens / shares at the end of w − 1, each division rounded down, and at least x.',
          }),
        }),
      )
      .meta({ description: 'The items, ascending by epoch.' }),
    total: z.int().min(0).meta({ description: 'Items in the whole period.' }),
    epoch: EpochNumber.meta({ description: 'The present epoch, which is not part of the history.' }),
  })
  .meta({ id: 'ApyHistory', description: 'Ascending by epoch.' })

/** Public staking data: no credential. */
export const publicRows = {
  validators: {
    tag: 'Staking data',
    summary: 'The whole validator set',
    description:
      'Every validator with its stake, commission, APY, uptime and score. `hash` names the version of the data: send it back as `If-None-Match` (or `?hash=`) and get 304 as long as nothing changed.',
    query: z.object({
      hash: z.string().max(128).optional().meta({ description: 'The `hash` of the answer you have.' }),
    }),
    reply: z
      .object({
        epoch: EpochNumber,
        hash: z.string().meta({ description: 'SHA-256 over the content; also sent as `ETag`.' }),
        data: z.array(Validator).meta({ description: 'Every validator, in the order of their ids.' }),
        scoringInputs: ScoringInputs,
      })
      .meta({ id: 'ValidatorSet' }),
    conditional: true,
  },
  validator: {
    tag: 'Staking data',
    summary: 'One validator',
    description: 'One validator with its pending stake and announced commission.',
    params: ValidatorId,
    reply: ValidatorDetail,
    conditional: true,
    errors: ['not_found'],
  },
  validatorApyHistory: {
    tag: 'Staking data',
    summary: 'APY history of a validator',
    description: 'What its stakers earned in completed epochs, net of commission.',
    params: ValidatorId,
    query: HistoryQuery,
    reply: ApyHistory,
    conditional: true,
    errors: ['not_found'],
  },
  apyHistory: {
    tag: 'Staking data',
    summary: 'APY history of the network',
    description: 'The stake-weighted APY of all validators in completed epochs, net of commission.',
    query: HistoryQuery,
    reply: ApyHistory,
    conditional: true,
  },
  epoch: {
    tag: 'Staking data',
    summary: 'The present epoch',
    description: 'When it started, when it ends, and how far it is.',
    reply: z
      .object({
        epoch: EpochNumber,
        startTimestampMs: Milliseconds,
        endTimestampMs: Milliseconds.meta({ description: 'When it is due to end; the chain may be late.' }),
        durationMs: Milliseconds,
        elapsedMs: Milliseconds,
        remainingMs: Milliseconds,
        progress: Fraction.meta({ description: 'Share of the epoch that has passed, 0 to 1.' }),
        epochsPerYear: z.number().meta({ description: 'Epochs in 365 days.' }),
        nextCommitteeSelected: z.boolean().meta({
          description: 'Once true, stakes and withdrawals made now take one epoch longer.',
        }),
        dataAgeSeconds: DataAge,
      })
      .meta({ id: 'Epoch' }),
    conditional: true,
  },
  price: {
    tag: 'Staking data',
    summary: 'Price of the token',
    description: 'The last known price. `stale` says that its source has not answered lately.',
    reply: z
      .object({
        symbol: TokenSymbol,
        priceUsd: z.number().positive().meta({ description: 'US dollars per whole token.' }),
        change24hPercent: z.number().nullable().meta({ description: 'Percent over 24 hours.' }),
        source: z.string().meta({ description: 'Who was asked for the price.' }),
        updatedAt: IsoTime,
        dataAgeSeconds: DataAge.meta({ description: 'Seconds since `updatedAt`.' }),
        stale: z.boolean().meta({ description: 'Whether the source has not answered lately.' }),
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
              rule: z.string().meta({ description: 'When the gate is closed.' }),
            }),
          )
          .meta({ description: 'Rules that exclude a validator, whatever its score.' }),
        windows: z
          .record(z.string(), z.number())
          .meta({ description: 'Epochs that each measure looks back.' }),
        constants: z
          .record(z.string(), z.number())
          .meta({ description: 'Every other constant, by the name that the formulas use.' }),
        formulas: z
          .array(z.string())
          .meta({ description: 'How a score is computed from the public answers, step by step.' }),
        example: z
          .object({
            inputs: z.record(z.string(), z.number()).meta({ description: 'Of one validator.' }),
            components: z.record(z.string(), z.number()).meta({ description: 'What follows from them.' }),
            score: Score,
          })
          .meta({ description: 'A worked example.' }),
      })
      .meta({ id: 'Scoring' }),
    conditional: true,
  },
  health: {
    tag: 'Staking data',
    summary: 'Is the service able to answer?',
    description:
      'Also says how old its data are. Answers 503 `store_not_ready` or `rpc_unavailable` while it is not ready.',
    reply: z
      .object({
        status: z.enum(['ok', 'degraded']).meta({ description: 'degraded: serving, but with old data.' }),
        version: z.string().meta({ description: 'Version of the service.' }),
        network: NetworkName,
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
      })
      .meta({ id: 'Health' }),
  },
} as const satisfies Record<string, EndpointSpec>
