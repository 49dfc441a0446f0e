import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  EpochNumber,
  Fraction,
  HistoryComplete,
  IsoTime,
  NextChangeAt,
  Percent,
  tokenUnit,
} from '../fields.ts'
import { oneOf, wholeFrom } from '../inputs.ts'
import { fieldsQuery, ListPage, listOf, listQuery, sortedListOf } from '../lists.ts'
import { ValidatorId } from './validators.ts'

const HistoryQuery = z.object({
  period: oneOf(['7d', '30d', '90d', '1y', 'all']).default('30d').meta({ description: 'How far back.' }),
  interval: oneOf(['epoch', 'day', 'week'])
    .default('epoch')
    .meta({ description: 'One item per epoch, or the mean of each UTC day or week (Monday to Sunday).' }),
  limit: wholeFrom(1, 365)
    .default(100)
    .meta({ description: 'Items in the answer: the newest ones after `offset`.' }),
  offset: wholeFrom(0, 1_000_000).default(0).meta({ description: 'Newest items to skip.' }),
})

const ExchangeRate = z
  .object({
    tokens: z
      .string()
      .regex(/^[1-9][0-9]{0,38}$/)
      .meta({ description: 'Their worth in the token’s smallest units.' }),
    shares: z
      .string()
      .regex(/^[1-9][0-9]{0,38}$/)
      .meta({ description: 'Shares of the pool.' }),
  })
  .meta({ id: 'ExchangeRate', description: '`shares` of the pool are worth `tokens` smallest units.' })

const HistoryItem = z.object({
  epoch: EpochNumber.meta({ description: 'The (last) epoch the item stands for.' }),
  timestamp: IsoTime.meta({ description: 'When that epoch ended.' }),
  apy: Percent,
  commissionRate: Fraction,
  totalStake: Amount.meta({
    description:
      'Stake of the pool when the epoch ended. Of the network: of all pools on record, also of validators that have left, whose stake earns nothing.',
  }),
  performed: z.boolean().nullable().meta({
    description:
      'Whether it was in the committee and did its work. Null: the network cannot tell, or the item stands for several epochs or the whole network.',
  }),
  shards: z.int().min(0).nullable().meta({
    description:
      'Shards it was paid for, given out by the stakes of the epoch (Walrus). Null: the network has none, or the item stands for several epochs or the whole network.',
  }),
  exchangeRate: ExchangeRate.nullable().meta({
    description:
      'The pool’s rate when the epoch ended; null for the network as a whole. A stake of x smallest units that became active in epoch a is worth in epoch w: x · shares / tokens at the end of epoch a − 1, times tokens / shares at the end of epoch w − 1, each division rounded down, and at least x.',
  }),
})

const ITEMS = listOf('data', HistoryItem, ['epoch', 'apy'])

const ApyHistory = z
  .object({
    data: z.array(HistoryItem).meta({ description: 'The items, ascending by epoch.' }),
    total: z.int().min(0).meta({ description: 'Items in the whole period.' }),
    epoch: EpochNumber.meta({ description: 'The present epoch, which is not part of the history.' }),
    nextChangeAt: NextChangeAt,
    ...tokenUnit,
    historyComplete: HistoryComplete,
  })
  .meta({ id: 'ApyHistory', description: 'Ascending by epoch.' })

const CommissionChange = z.object({
  epoch: EpochNumber.meta({
    description: 'The first epoch with this rate.',
  }),
  timestamp: IsoTime.meta({ description: 'When that epoch ended.' }),
  commissionRate: Fraction,
  source: z.enum(['read', 'assumed']).meta({
    description:
      'read: it was read in `epoch` itself · assumed: nothing was read in that epoch, so this is the rate of a later reading, and the change may have come as late as that.',
  }),
})

const CHANGES = sortedListOf('data', CommissionChange, {
  id: 'epoch',
  compact: ['epoch', 'commissionRate', 'source'],
  sort: { epoch: 'asc' },
  sortedBy: 'epoch',
})

/** Rewards of completed epochs. No credential. */
export const historyRows = {
  validatorApyHistory: {
    tag: 'Staking data',
    summary: 'APY history of a validator',
    description: 'What the stakers of a validator earned in completed epochs, net of commission.',
    params: ValidatorId,
    query: HistoryQuery.extend(fieldsQuery(ITEMS)),
    list: ITEMS,
    reply: ApyHistory,
    conditional: true,
    errors: ['not_found'],
  },
  validatorCommissionHistory: {
    tag: 'Staking data',
    summary: 'Commission history of a validator',
    description:
      'Every change of a validator’s commission, ascending. The chains keep no history of it: an epoch that was not read has the next rate that was read.',
    params: ValidatorId,
    query: z.object(listQuery(CHANGES)),
    list: CHANGES,
    reply: z
      .object({
        data: z
          .array(CommissionChange)
          .meta({ description: 'The first rate, then each change, in completed epochs.' }),
        ...ListPage,
        commissionRate: Fraction.meta({ description: 'The present rate.' }),
        announced: z
          .object({
            commissionRate: Fraction,
            epoch: EpochNumber.nullable().meta({
              description: 'The first epoch with this rate. Null: the chain does not say.',
            }),
          })
          .nullable()
          .meta({ description: 'The rate of a coming epoch. Null: none is announced.' }),
        highest: Fraction.meta({
          description: 'The highest of these rates, the announced one included.',
        }),
        firstEpoch: EpochNumber.nullable().meta({
          description: 'The oldest epoch of the list, read or not. Null: none.',
        }),
        assumedEpochs: z
          .array(
            z.object({
              from: EpochNumber.meta({ description: 'The first epoch.' }),
              to: EpochNumber.meta({ description: 'The last epoch, inclusive.' }),
            }),
          )
          .meta({
            description: 'The completed epochs whose rate is assumed, ascending. Empty: all were read.',
          }),
        epoch: EpochNumber.meta({ description: 'The present epoch.' }),
        nextChangeAt: NextChangeAt,
        historyComplete: HistoryComplete,
      })
      .meta({ id: 'CommissionHistory' }),
    conditional: true,
    errors: ['not_found'],
  },
  apyHistory: {
    tag: 'Staking data',
    summary: 'APY history of the network',
    description:
      'The APY of all pools in completed epochs, weighted by stake, net of commission; stake of validators that left earns nothing.',
    query: HistoryQuery.extend(fieldsQuery(ITEMS)),
    list: ITEMS,
    reply: ApyHistory,
    conditional: true,
  },
} as const satisfies Record<string, EndpointSpec>
