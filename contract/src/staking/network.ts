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
    members: z
      .int()
      .min(0)
      .meta({ description: 'Number of validators in the set that the next committees are made of.' }),
    minMembers: z.int().min(0).meta({ description: 'The fewest members a committee may have.' }),
    maxMembers: z.int().min(0).meta({ description: 'The most members a committee may have.' }),
    changesLeft: z.int().min(0).nullable().meta({
      description: 'How many more validators may join or leave in this epoch. Null: no limit.',
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
  performed: perEpoch(z.boolean(), 'Whether it was in the committee and rewarded.'),
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
    description: 'Token, total stake, rewards and how they are shared, and the stake that a validator needs.',
    reply: z
      .object({
        network: NetworkName,
        ...tokenUnit,
        minStakeAmount: Amount.meta({ description: 'The smallest amount that can be staked.' }),
        minValidatorJoiningStake: Amount.meta({
          description:
            'The stake with which a new validator gets a place in the set; in a full set it is more than that of the smallest member, which is replaced.',
        }),
        minValidatorStake: Amount.meta({ description: 'A validator with less stake loses its place.' }),
        epochDurationMs: Milliseconds,
        totalStake: Amount.meta({
          description:
            'Stake of the validators that earn: active and leaving ones. `totalStake` of the APY history also counts validators that have left.',
        }),
        rewardsPerEpoch: Amount.meta({ description: 'The rewards that all validators share in one epoch.' }),
        rewardShape: z.enum(['equal-share', 'proportional']).meta({
          description:
            'equal-share: each committee member gets the same · proportional: by stake, up to a cap.',
        }),
        rewardCapShare: Fraction.nullable().meta({
          description:
            'The fraction of all stake up to which a validator’s rewards grow with its stake. Null with equal shares.',
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
