import { z } from 'zod'
import { ChainId, ChainIdInput } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  DataAge,
  EpochNumber,
  HistoryComplete,
  IsoTime,
  NextChangeAt,
  NextCursor,
  PageQuery,
  tokenUnit,
  ValidatorName,
} from '../fields.ts'
import { wholeFrom } from '../inputs.ts'
import { fieldsQuery, listOf, PagedList, pagedListQuery, sortedListOf } from '../lists.ts'

export const TokenState = z.enum(['pending', 'active', 'withdrawing', 'withdrawable']).meta({
  id: 'TokenState',
  description:
    'pending: not active yet · active: earning · withdrawing: withdrawal was requested · withdrawable: it can be withdrawn now.',
})

const Position = z
  .object({
    stakedTokenId: ChainId,
    validatorId: ChainId,
    name: ValidatorName.nullable().meta({
      description: 'Name that the validator gave itself; not unique. Null: it is no longer listed.',
    }),
    principal: Amount,
    rewards: Amount.meta({ description: 'Earned so far, on top of the principal.' }),
    state: TokenState,
    activationEpoch: EpochNumber,
    withdrawEpoch: EpochNumber.nullable().meta({
      description: 'The epoch from which it can be withdrawn. Null: not requested.',
    }),
    availableAt: IsoTime.nullable().meta({
      description: 'When it can be withdrawn. Null: no time is set, and `next` says what to do.',
    }),
    next: z.enum(['unstake', 'withdraw', 'wait']).meta({ description: 'What may be done now.' }),
  })
  .meta({ id: 'Position' })

const POSITIONS = sortedListOf('positions', Position, {
  id: 'stakedTokenId',
  compact: ['stakedTokenId', 'name', 'principal', 'rewards', 'state', 'next'],
  sort: {
    stakedTokenId: 'asc',
    validatorId: 'asc',
    name: 'asc',
    principal: 'desc',
    rewards: 'desc',
    activationEpoch: 'asc',
  },
  sortedBy: 'stakedTokenId',
})

const Delegator = z.object({
  owner: ChainId.meta({ description: 'Address of the delegator.' }),
  stakedAmount: Amount.meta({ description: 'Principal of all its tokens.' }),
  tokens: z.int().min(1).meta({ description: 'Staked tokens it holds.' }),
})

const DELEGATORS = listOf('delegators', Delegator, ['owner', 'stakedAmount'])

const EpochRewards = z.object({
  epoch: EpochNumber,
  endedAt: IsoTime.meta({ description: 'When the epoch ended.' }),
  rewards: Amount.meta({ description: 'Earned in this epoch by all tokens whose rates are known.' }),
})

const REWARDS = listOf('data', EpochRewards, ['epoch', 'rewards'])

/** Staked tokens, rewards and delegators. */
export const positionRows = {
  positions: {
    tag: 'Agent',
    summary: 'Staked tokens of an address',
    description:
      'The staked tokens of an address, each with its rewards so far, its state and what may be done with it next. In pages: pass `nextCursor` as `cursor`; null: the last page.',
    query: z.object({
      owner: ChainIdInput.meta({ description: 'The address that owns the tokens.' }),
      state: TokenState.optional().meta({
        description: `Only those in this state. ${TokenState.description}`,
      }),
      ...pagedListQuery(POSITIONS),
    }),
    list: POSITIONS,
    reply: z
      .object({
        positions: z
          .array(Position)
          .meta({ description: 'One page of the staked tokens, in the order of their ids unless sorted.' }),
        ...PagedList,
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
      })
      .meta({ id: 'Positions' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
  rewards: {
    tag: 'Agent',
    summary: 'Rewards of an address',
    description:
      'What the staked tokens of an address have earned, per epoch and in sum, exact from exchange rates, and what can be withdrawn now. Withdrawn tokens do not count.',
    query: z.object({
      owner: ChainIdInput.meta({ description: 'The address that owns the tokens.' }),
      epochs: wholeFrom(1, 1000)
        .default(1000)
        .meta({ description: 'How many completed epochs to list; those before count as `earlier`.' }),
      ...fieldsQuery(REWARDS),
    }),
    list: REWARDS,
    reply: z
      .object({
        data: z.array(EpochRewards).meta({ description: 'Epochs in which a token was active, ascending.' }),
        earlier: Amount.meta({
          description: 'Earned in all epochs that are not listed, and by tokens whose rates are not known.',
        }),
        total: Amount.meta({ description: 'All rewards so far: `earlier` and the list, to the unit.' }),
        claimableNow: z
          .object({
            tokens: z.int().min(0).meta({ description: 'Staked tokens that can be withdrawn now.' }),
            principal: Amount.meta({ description: 'Their principal.' }),
            rewards: Amount.meta({ description: 'Their rewards.' }),
          })
          .meta({
            description:
              'What withdrawals pay now. Other rewards are paid when their tokens are unstaked and withdrawn.',
          }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
        historyComplete: HistoryComplete,
      })
      .meta({ id: 'OwnerRewards' }),
    sums: [{ list: 'data', field: 'rewards', remainder: 'earlier', isOfUnlisted: true, total: 'total' }],
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
  delegators: {
    tag: 'Agent',
    summary: 'Who stakes with a validator',
    description:
      'Who stakes with a validator, by address. While no list is available, `syncing` is true and the list empty; a real chain has one only where the operator has configured a source.',
    params: z.object({ validatorId: ChainIdInput.meta({ description: 'Id of the validator.' }) }),
    query: PageQuery.extend(fieldsQuery(DELEGATORS)),
    list: DELEGATORS,
    reply: z
      .object({
        validatorId: ChainId,
        delegators: z.array(Delegator).meta({ description: 'One page, in the order of their addresses.' }),
        syncing: z.boolean().meta({ description: 'True while no list is available.' }),
        complete: z.boolean().meta({
          description: 'False: not all stake could be listed, so delegators or amounts are missing.',
        }),
        listedAt: IsoTime.nullable().meta({
          description: 'When the list was made, by the chain’s own time. Null: it is as new as the data.',
        }),
        nextCursor: NextCursor,
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
      })
      .meta({ id: 'Delegators' }),
    errors: ['not_found', 'store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>
