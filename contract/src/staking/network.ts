import { z } from 'zod'
import { ChainId } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  DataAge,
  EpochNumber,
  Fraction,
  HistoryComplete,
  Milliseconds,
  NetworkName,
  NextChangeAt,
  Percent,
  tokenUnit,
} from '../fields.ts'
import { wholeFrom } from '../inputs.ts'
import { ListPage, listQuery, sortedListOf } from '../lists.ts'

const Committee = z
  .object({
    members: z.int().min(0).meta({ description: 'Validators that coming committees are made of.' }),
    minMembers: z.int().min(0).meta({ description: 'The fewest members a committee may have.' }),
    maxMembers: z.int().min(0).meta({ description: 'The most members a committee may have.' }),
    changesLeft: z.int().min(0).nullable().meta({
      description: 'How many more may come or go in this epoch. Null: no limit.',
    }),
  })
  .meta({ id: 'Committee', description: 'Size of the committee and its bounds.' })

const perEpoch = <T extends z.ZodType>(value: T, description: string) =>
  z
    .array(value.nullable())
    .meta({ description: `${description} One value per item of \`epochs\`; null: none.` })

const HistoryRow = z.object({
  id: ChainId,
  apy: perEpoch(Percent, 'Percent per 365 days.'),
  commissionRate: perEpoch(Fraction, 'Fraction of the rewards.'),
  performed: perEpoch(z.boolean(), 'In the committee and rewarded.'),
})

const HISTORIES = sortedListOf('data', HistoryRow, {
  id: 'id',
  compact: ['id', 'apy'],
  sort: { id: 'asc' },
  sortedBy: 'id',
})

/** The network as a whole, and the histories of all validators. No credential. */
export const networkRows = {
  network: {
    tag: 'Staking data',
    summary: 'The network as a whole',
    description: 'Token, stake, rewards and how they are shared, and what a validator needs.',
    reply: z
      .object({
        network: NetworkName,
        ...tokenUnit,
        minStakeAmount: Amount,
        minValidatorJoiningStake: Amount.meta({
          description:
            'With this a newcomer takes a place for sure; in a full set more than the smallest member has.',
        }),
        minValidatorStake: Amount.meta({ description: 'With less a validator loses its place.' }),
        epochDurationMs: Milliseconds,
        totalStake: Amount.meta({
          description:
            'Stake of the validators that earn: active and leaving ones. That of the APY history has the stake of those that have left, too.',
        }),
        rewardsPerEpoch: Amount.meta({ description: 'What all validators share in one epoch.' }),
        rewardShape: z.enum(['equal-share', 'proportional']).meta({
          description:
            'equal-share: each committee member gets the same · proportional: by stake, up to a cap.',
        }),
        rewardCapShare: Fraction.nullable().meta({
          description: 'The share of all stake up to which rewards grow with it. Null with equal shares.',
        }),
        committee: Committee.nullable().meta({ description: 'Null where the chain has no such set.' }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
        historyComplete: HistoryComplete,
      })
      .meta({ id: 'Network' }),
    conditional: true,
  },
  validatorHistories: {
    tag: 'Staking data',
    summary: 'Histories of all validators',
    description:
      'APY, commission and performance of every validator in the last completed epochs, in one answer.',
    query: z.object({
      epochs: wholeFrom(1, 100).default(30).meta({ description: 'How many completed epochs.' }),
      ...listQuery(HISTORIES),
    }),
    list: HISTORIES,
    reply: z
      .object({
        epochs: z.array(EpochNumber).meta({ description: 'Ascending.' }),
        data: z.array(HistoryRow).meta({ description: 'Every validator, in the order of their ids.' }),
        ...ListPage,
        epoch: EpochNumber.meta({ description: 'The present epoch, which is not part of the history.' }),
        nextChangeAt: NextChangeAt,
        historyComplete: HistoryComplete,
      })
      .meta({ id: 'ValidatorHistories' }),
    conditional: true,
  },
} as const satisfies Record<string, EndpointSpec>
