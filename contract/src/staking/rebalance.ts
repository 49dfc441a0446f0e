import { z } from 'zod'
import { ChainId, ChainIdInput } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  ApyRange,
  DataAge,
  EpochNumber,
  HistoryComplete,
  IsoTime,
  NextChangeAt,
  Percent,
  tokenUnit,
  ValidatorName,
} from '../fields.ts'
import { wholeFrom } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { PolicyCosts } from '../mandates/costs.ts'
import { heldPositions, stakeLimits } from '../stake-limits.ts'
import { refusalFix } from '../texts/refusal-fix.ts'
import { Certificate } from './allocation.ts'
import { TokenState } from './positions.ts'

const KnownName = ValidatorName.nullable().meta({
  description: 'Name that the validator gave itself; not unique. Null: it is no longer listed.',
})

const RebalanceStep = z
  .object({
    action: z
      .enum(['unstake', 'stake'])
      .meta({ description: 'unstake: stake leaves the validator · stake: it goes to it.' }),
    validator: ChainId.meta({ description: 'The validator that stake leaves or goes to.' }),
    name: KnownName,
    amount: Amount.meta({ description: 'unstake: principal; its rewards come on top · stake: coins.' }),
    requiresEpochWait: z.boolean().meta({
      description:
        'unstake: the coins are paid out in a later epoch · stake: it uses such coins, which must be withdrawn first.',
    }),
    order: z.int().min(1).meta({ description: 'Position in the plan, from 1.' }),
    epoch: EpochNumber.meta({ description: 'The epoch in which to take the step.' }),
    stakedTokenId: z.string().optional().meta({ description: 'The token to unstake (from).' }),
    rewards: Amount.optional().meta({
      description: 'unstake: rewards accrued so far that are paid out on top of `amount`.',
    }),
  })
  .meta({ id: 'RebalanceStep' })

const PlannedStake = z
  .object({
    action: z.literal('stake').meta({ description: 'Action of the item.' }),
    validatorId: ChainId.meta({ description: 'The validator to stake with.' }),
    amount: Amount.meta({ description: 'Coins to stake.' }),
  })
  .meta({ id: 'PlannedStake' })

const RebalanceCall = z
  .object({
    order: z.int().min(1).meta({ description: 'Position in the plan, from 1.' }),
    epoch: EpochNumber.meta({ description: 'The epoch in which to make the call.' }),
    notBefore: IsoTime.meta({ description: 'When that epoch is due to begin; the present one: now.' }),
    before: IsoTime.meta({
      description: 'Execute it before this time: later, the following epochs of the plan shift by one.',
    }),
    method: z.literal('POST').meta({ description: 'HTTP method.' }),
    path: z.string().meta({
      description: 'Path of the transaction builder.',
      examples: ['/api/v1/staking/agent/tx/unstake'],
    }),
    body: z
      .object({
        validatorId: ChainId.optional().meta({ description: 'For a stake: the validator.' }),
        stakedTokenId: z.string().optional().meta({
          description: 'The token. Absent where it is the one that `tokenOfCall` splits off.',
        }),
        amount: Amount.optional().meta({
          description: '`amount` of the builder: the coins to stake, or the principal to unstake.',
        }),
        items: z.array(PlannedStake).optional().meta({
          description: 'For a batch: stakes that the policy accepts only in one transaction.',
        }),
        sender: ChainId.optional().meta({ description: 'The `owner` of the request.' }),
      })
      .meta({ description: 'What to pass; add `sender` if it is missing.' }),
    tokenOfCall: z.int().min(1).optional().meta({
      description:
        'The `order` of the call that splits the token off: pass the id of the token it created as `stakedTokenId`.',
    }),
    paysOut: Amount.meta({
      description: 'The least that is paid out. Rewards earned until then come on top.',
    }),
  })
  .meta({ id: 'RebalanceCall' })

const PlannedEpoch = z
  .object({
    epoch: EpochNumber,
    startsAt: IsoTime.meta({ description: 'When the epoch is due to begin, or began.' }),
    requested: Amount.meta({ description: 'Principal whose withdrawal is requested.' }),
    withdrawn: Amount.meta({ description: 'The least that is paid out, rewards included.' }),
    restaked: Amount.meta({ description: 'Coins staked.' }),
    left: Amount.meta({ description: 'Coins of the plan that are left when the epoch’s calls are done.' }),
  })
  .meta({ id: 'PlannedEpoch' })

/** A request either lists the stake or names its owner. */
const HOLDINGS = ['positions', 'owner'] as const

/** Whether and how to move existing stake. */
export const rebalanceRows = {
  planRebalance: {
    tag: 'Agent',
    summary: 'Whether and how to move existing stake',
    description:
      'Compares what you hold, accrued rewards included, with the optimum, net of what switching costs, and returns the fewest steps that pay, or none. `calls` lists the calls of the plan: make each in its epoch, then sign and submit what it builds. Name your tokens in `positions`, or give their `owner`. Builder tier or higher.',
    oneOf: HOLDINGS,
    body: z
      .strictObject({
        positions: heldPositions.min(1, { error: 'must have at least 1 item' }).optional().meta({
          description:
            'Your staked tokens. Their accrued rewards and states are read from the chain; a token that the chain does not know is assumed active, without rewards.',
        }),
        owner: ChainIdInput.optional().meta({
          description: 'Instead of `positions`: the address whose staked tokens to plan for.',
        }),
        maxTargets: wholeFrom(1, LIMITS.rebalanceTargets)
          .default(LIMITS.rebalanceTargets)
          .meta({ description: 'The most validators that may receive stake.' }),
        ...stakeLimits,
      })
      .refine(({ positions, owner }) => (positions === undefined) !== (owner === undefined), {
        path: ['positions'],
        error: 'must be given, or `owner` instead; not both',
        params: refusalFix('Give `positions`, or `owner` instead; not both.'),
      })
      .meta({ id: 'RebalanceRequest', oneOf: HOLDINGS.map((field) => ({ required: [field] })) }),
    reply: z
      .object({
        currentPositions: z
          .array(
            z.object({
              validator: ChainId,
              name: KnownName,
              stakedAmount: Amount.meta({ description: 'Principal.' }),
              currentApy: Percent.meta({
                description: 'Percent per 365 days; 0 once its withdrawal was requested.',
              }),
              stakedTokenId: z.string().meta({ description: 'Id of the staked token.' }),
              rewards: Amount.meta({ description: 'Accrued so far, on top of the principal.' }),
              state: TokenState,
            }),
          )
          .meta({ description: 'What you hold, token by token.' }),
        steps: z
          .array(RebalanceStep)
          .meta({ description: 'The moves of stake: what leaves first, then what is staked.' }),
        calls: z.array(RebalanceCall).meta({
          description:
            'The whole plan as calls of this API, withdrawals included, in the order to make them. Each is accepted from its epoch on.',
        }),
        timeline: z
          .array(PlannedEpoch)
          .meta({ description: 'What the calls do with your coins, epoch by epoch.' }),
        assumptions: z.array(z.string()).meta({
          description:
            'What could not be read from the chain, what is assumed instead, how many validators the tier hides, and whether a policy lets the plan stake in one transaction only.',
        }),
        policy: PolicyCosts,
        validUntil: IsoTime.meta({
          description:
            'The plan holds if the calls of the present epoch are executed before this time; ask again afterwards.',
        }),
        summary: z
          .object({
            currentWeightedApy: Percent,
            projectedWeightedApy: Percent,
            range: ApyRange,
            estimatedEpochsToComplete: z
              .int()
              .min(0)
              .meta({ description: 'Epochs until the last step is done.' }),
            breakEvenEpochs: z.int().min(0).nullable().meta({
              description:
                'Number of whole epochs after which the moves have earned back what they cost. Null: nothing moves, or your limits force moves that lose.',
            }),
            horizonEpochs: z
              .int()
              .min(0)
              .meta({ description: 'Number of epochs over which gains were weighed against costs.' }),
            recommendation: z.enum(['move', 'hold']).meta({
              description:
                'move: the steps are worth taking · hold: they are not. With `hold`, `value` of the certificate is what staying earns within your limits, and `bound` is what the best moves would reach after their cost: the `gap` is a gain too small to move for, not an error of the search.',
            }),
            reason: z.string().meta({ description: 'Why, in one sentence.' }),
          })
          .meta({ description: 'The plan in figures.' }),
        certificate: Certificate,
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
        historyComplete: HistoryComplete,
        snapshotId: z
          .string()
          .meta({ description: 'Id of the snapshot of chain data that the answer was computed from.' }),
      })
      .meta({ id: 'RebalancePlan' }),
    errors: ['forbidden', 'store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>
