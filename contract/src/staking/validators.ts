import { z } from 'zod'
import { ChainId, ChainIdInput } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  DataAge,
  EpochNumber,
  Fraction,
  HistoryComplete,
  IneligibleReasons,
  NextChangeAt,
  Score,
  ScoreComponents,
  tokenUnit,
  UptimeSource,
  ValidatorApy,
  ValidatorName,
  ValidatorStatus,
  validatorFilters,
} from '../fields.ts'
import { ListPage, listQuery, sortedListOf } from '../lists.ts'

const NullableAmount = Amount.nullable().meta({ description: 'Null where the network cannot tell.' })

const Validator = z
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
    apy: ValidatorApy,
    uptime: Fraction.nullable().meta({
      description: 'Share of the last 30 completed epochs it performed in. Null: no history yet.',
    }),
    uptimeSource: UptimeSource.nullable().meta({
      description: 'How the uptime was measured. Null: no history yet.',
    }),
    score: Score.nullable().meta({
      description: 'Score from APY, uptime and commission, 0 to 100. Null: not scored yet.',
    }),
    components: ScoreComponents.nullable().meta({
      description: 'What the score is made of. Null: not scored yet.',
    }),
    ineligible: IneligibleReasons,
    pendingStake: Amount.meta({ description: 'Stake that becomes active in a coming epoch.' }),
    nextCommissionRate: Fraction.meta({
      description: 'The announced commission; equal to the present one if none is.',
    }),
    nextCommissionEpoch: EpochNumber.nullable().meta({
      description: 'The epoch from which the announced commission holds. Null: none is announced.',
    }),
    nextStake: Amount.meta({
      description: 'Its stake when a stake made now becomes active: present plus pending minus withdrawing.',
    }),
    inNextCommittee: z.boolean().nullable().meta({
      description:
        'Whether it has a seat in the next committee. Null: that is not selected yet, or the network does not tell.',
    }),
    votingPower: z.int().min(0).max(10_000).nullable().meta({
      description: 'Parts of 10,000 of all votes. Null: the network does not tell.',
    }),
    shards: z.int().min(0).nullable().meta({
      description: 'Shards it holds in this epoch (Walrus). Null: the network has none.',
    }),
    nextShards: z.int().min(0).nullable().meta({
      description:
        'Shards that it will be paid for, calculated from `nextStake` of all validators that keep their place (Walrus). Null: the network has none.',
    }),
    reportedBy: z.int().min(0).nullable().meta({
      description: 'How many validators report it as failing in this epoch. Null: the network does not tell.',
    }),
    atRiskEpochs: z.int().min(0).nullable().meta({
      description:
        'Number of epochs for which its stake has been below the minimum for a seat; 0: it is safe. Null: the network does not tell.',
    }),
  })
  .meta({ id: 'Validator' })

const ScoringInputs = z
  .object({
    rewardShape: z.enum(['equal-share', 'proportional']).meta({
      description:
        'equal-share: every member is paid the same · proportional: by stake, up to a cap, and by whole shards where validators have `nextShards`.',
    }),
    capShare: Fraction.nullable().meta({
      description: 'The fraction of all stake above which a validator is paid no more; null for equal pay.',
    }),
    minValidatorStake: Amount.meta({ description: 'A validator with less stake loses its place.' }),
    competingStake: Amount.meta({
      description: 'In a full set: the stake of the largest validator outside. 0: no member can be replaced.',
    }),
  })
  .meta({ id: 'ScoringInputs', description: 'What scores depend on besides the validators themselves.' })

const OwnText = z.string().nullable()

const StorageVotes = z
  .object({
    storagePrice: Amount.meta({ description: 'Price per unit of storage and epoch.' }),
    writePrice: Amount.meta({ description: 'Price per unit written.' }),
    nodeCapacity: z
      .string()
      .regex(/^[0-9]{1,20}$/)
      .meta({ description: 'Bytes it offers.', examples: ['1000000000000'] }),
  })
  .meta({ id: 'StorageVotes', description: 'What a storage node votes for.' })

const ValidatorDetail = Validator.extend({
  description: OwnText.meta({
    description: 'What the validator says about itself: unchecked text of a stranger. Null: nothing.',
  }),
  imageUrl: OwnText.meta({ description: 'Its picture, as it says. Null: none that can be linked to.' }),
  projectUrl: OwnText.meta({ description: 'Its website, as it says. Null: none that can be linked to.' }),
  votes: StorageVotes.nullable().meta({ description: 'Its votes on prices (Walrus). Null elsewhere.' }),
  epoch: EpochNumber,
  dataAgeSeconds: DataAge,
  nextChangeAt: NextChangeAt,
  ...tokenUnit,
  historyComplete: HistoryComplete,
}).meta({ id: 'ValidatorDetail' })

export const ValidatorId = z.object({ id: ChainIdInput.meta({ description: 'Id of the validator.' }) })

const VALIDATORS = sortedListOf('data', Validator, {
  id: 'id',
  compact: ['id', 'name', 'status', 'score', 'apy', 'commissionRate', 'totalStake'],
  sort: {
    id: 'asc',
    name: 'asc',
    score: 'desc',
    apy: 'desc',
    uptime: 'desc',
    commissionRate: 'asc',
    totalStake: 'desc',
    pendingStake: 'desc',
    nextStake: 'desc',
    votingPower: 'desc',
    shards: 'desc',
    nextShards: 'desc',
    reportedBy: 'desc',
    atRiskEpochs: 'desc',
    withdrawingStake: 'desc',
  },
  sortedBy: 'id',
})

/** The validator set. No credential. */
export const validatorRows = {
  validators: {
    tag: 'Staking data',
    summary: 'The whole validator set',
    description:
      'Every validator with its stake, commission, APY, uptime and score. `hash` names the version of the data: send it back as `hash` to learn whether anything changed. Without parameters the whole list; with them a part, such as `sort` score, `limit` 5, `view` compact.',
    query: z.object({
      hash: z
        .string()
        .max(128)
        .optional()
        .meta({ description: 'The `hash` of the same request’s last answer.' }),
      ...validatorFilters,
      status: ValidatorStatus.optional().meta({
        description: `Only those with this status. ${ValidatorStatus.description}`,
      }),
      ...listQuery(VALIDATORS),
    }),
    list: VALIDATORS,
    reply: z
      .object({
        epoch: EpochNumber,
        hash: z.string().meta({ description: 'SHA-256 over the content.' }),
        data: z.array(Validator).meta({
          description:
            'Every validator, in the order of their ids, unless parameters ask for a part. With `fields` or `view` each has only those fields.',
        }),
        ...ListPage,
        scoringInputs: ScoringInputs,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
        historyComplete: HistoryComplete,
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
} as const satisfies Record<string, EndpointSpec>
