import { z } from 'zod'
import { ChainId, ChainIdInput } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  DataAge,
  EpochNumber,
  Fraction,
  IneligibleReasons,
  NextChangeAt,
  Percent,
  Score,
  ScoreComponents,
  UptimeSource,
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
  nextChangeAt: NextChangeAt,
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
    withdrawingStake: 'desc',
  },
  sortedBy: 'id',
})

/** The validator set: no credential. */
export const validatorRows = {
  validators: {
    tag: 'Staking data',
    summary: 'The whole validator set',
    description:
      'Every validator with its stake, commission, APY, uptime and score. `hash` names the version of the data: send it back as `If-None-Match` (or `?hash=`) and get 304 as long as nothing changed. Without further parameters the whole list; with them a part of it, such as `?sort=score&limit=5&view=compact`.',
    query: z.object({
      hash: z.string().max(128).optional().meta({ description: 'The `hash` of the answer you have.' }),
      ...validatorFilters,
      status: ValidatorStatus.optional(),
      ...listQuery(VALIDATORS),
    }),
    list: VALIDATORS,
    reply: z
      .object({
        epoch: EpochNumber,
        hash: z.string().meta({ description: 'SHA-256 over the content; also sent as `ETag`.' }),
        data: z.array(Validator).meta({
          description:
            'Every validator, in the order of their ids, unless parameters ask for a part. With `fields` or `view` each has only those fields.',
        }),
        ...ListPage,
        scoringInputs: ScoringInputs,
        nextChangeAt: NextChangeAt,
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
