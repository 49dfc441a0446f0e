import { z } from 'zod'
import { ChainId, ChainIdInput, chainIdList } from './chain-id.ts'
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
  NextCursor,
  PageQuery,
  Percent,
  RateLimits,
  Score,
  ScoreComponents,
  ScoreVersion,
  TierName,
  TokenSymbol,
  UptimeSource,
  ValidatorName,
} from './fields.ts'
import { wholeFrom } from './inputs.ts'
import { LIMITS } from './limits.ts'
import { heldPositions, stakeLimits } from './stake-limits.ts'

const ScoredValidator = z
  .object({
    validatorId: ChainId,
    name: ValidatorName,
    score: Score,
    apy: Percent.nullable().meta({ description: 'Percent per 365 days. Null: no history yet.' }),
    commissionRate: Fraction,
    totalStake: Amount,
    uptime: Fraction.nullable().meta({
      description: 'Share of the last 30 completed epochs it performed in. Null: no history yet.',
    }),
    uptimeSource: UptimeSource.nullable().meta({
      description: 'What the uptime was measured by. Null: no history yet.',
    }),
    components: ScoreComponents,
    ineligible: IneligibleReasons,
  })
  .meta({ id: 'ScoredValidator' })

const AllocationItem = z
  .object({
    validatorId: ChainId,
    amount: Amount,
    weight: Fraction.meta({ description: 'Share of the whole amount, 0 to 1.' }),
    projectedApy: Percent.meta({ description: 'After your own stake has diluted it.' }),
  })
  .meta({ id: 'AllocationItem' })

const Alternative = z
  .object({
    name: z.string().meta({ description: 'What is different.', examples: ['maxValidators 10'] }),
    validators: z.int().min(0).meta({ description: 'How many validators would get stake.' }),
    projectedApy: Percent.meta({ description: 'After own dilution, weighted by amount.' }),
    rewardsPerYear: Amount.meta({ description: 'Rewards of 365 days on the amount, compounded.' }),
  })
  .meta({ id: 'Alternative' })

const YearlyRate = z.number().meta({ description: 'Percent of the amount per 365 days, not compounded.' })

const Certificate = z
  .object({
    value: YearlyRate.meta({
      description: 'What this split earns, less the price of risk: percent per year.',
    }),
    bound: YearlyRate.meta({
      description: 'Proven: under the stated model no split reaches more than this.',
    }),
    gap: z
      .number()
      .min(0)
      .meta({ description: '(bound − value) / bound: 0, up to rounding, is proven optimal.' }),
    nodes: z.int().min(0).meta({ description: 'Nodes that the branch-and-bound search visited.' }),
  })
  .meta({
    id: 'Certificate',
    description: 'Proof of optimality for the stated model, made anew for every answer.',
  })

const Explanation = z
  .object({
    marginalRate: YearlyRate.meta({
      description: 'What one more unit is worth: every chosen validator is filled down to this rate.',
    }),
    chosen: z
      .array(
        z.object({
          validatorId: ChainId,
          apyBefore: Percent.meta({ description: 'Before your stake dilutes it.' }),
          apyAfter: Percent.meta({ description: 'With your stake in the pool.' }),
          marginalRate: YearlyRate.meta({
            description: 'Of its last unit, after dilution and the price of risk.',
          }),
          heldBy: z
            .enum(['whole_amount', 'max_share', 'min_stake', 'marginal_rate'])
            .meta({ description: 'What keeps it from getting more.' }),
        }),
      )
      .meta({ description: 'Every chosen validator, and what limits its part.' }),
    next: z
      .object({
        validatorId: ChainId,
        entryRate: YearlyRate.meta({ description: 'Of its first unit.' }),
        reason: z.enum(['max_validators', 'amount_too_small', 'rate_too_low']).meta({
          description:
            'max_validators: one more would pay · amount_too_small: it cannot be split further · rate_too_low: it would not pay.',
        }),
        costOfChoosing: YearlyRate.meta({
          description: 'What would be lost at least if it replaced the weakest chosen one.',
        }),
      })
      .nullable()
      .meta({ description: 'The best validator that was not chosen; null when there is none.' }),
    curves: z
      .array(
        z.object({
          validatorId: ChainId,
          points: z.array(z.object({ amount: Amount, marginalRate: YearlyRate })).meta({
            description: 'The worth of one more unit at each amount. Ascending.',
          }),
        }),
      )
      .meta({ description: 'Of the chosen validators, in their order, then of the next one.' }),
  })
  .meta({ id: 'Explanation', description: 'Why these validators, and why not the next one.' })

const TokenState = z.enum(['pending', 'active', 'withdrawing', 'withdrawable']).meta({
  id: 'TokenState',
  description:
    'pending: not active yet · active: at work · withdrawing: withdrawal was requested · withdrawable: it can be withdrawn now.',
})

const RebalanceStep = z
  .object({
    action: z.enum(['unstake', 'stake']).meta({ description: 'Whether stake leaves or goes there.' }),
    validator: ChainId.meta({ description: 'The validator that stake leaves or goes to.' }),
    amount: Amount.meta({ description: 'unstake: principal; its rewards come on top · stake: coins.' }),
    requiresEpochWait: z.boolean().meta({
      description:
        'unstake: the coins come in a later epoch · stake: it is paid with such coins, which are withdrawn first.',
    }),
    order: z.int().min(1).meta({ description: 'Position in the plan, from 1.' }),
    epoch: EpochNumber.meta({ description: 'The epoch in which to take the step.' }),
    stakedTokenId: z.string().optional().meta({ description: 'The token to unstake (from).' }),
    rewards: Amount.optional().meta({
      description: 'unstake: rewards accrued so far that are paid out on top of `amount`.',
    }),
  })
  .meta({ id: 'RebalanceStep' })

const RebalanceCall = z
  .object({
    order: z.int().min(1).meta({ description: 'Position in the plan, from 1.' }),
    epoch: EpochNumber.meta({ description: 'The epoch in which to make the call.' }),
    notBefore: IsoTime.meta({ description: 'When that epoch is due to begin; the present one: now.' }),
    before: IsoTime.meta({ description: 'Executed later than this, the coming epochs shift by one.' }),
    method: z.literal('POST').meta({ description: 'HTTP method.' }),
    path: z.string().meta({
      description: 'Path of the transaction builder.',
      examples: ['/api/v1/staking/agent/tx/unstake'],
    }),
    body: z
      .object({
        validatorId: ChainId.optional().meta({ description: 'tx/stake: where to.' }),
        stakedTokenId: z.string().optional().meta({
          description: 'The token. Absent where it is the one that `tokenOfCall` splits off.',
        }),
        amount: Amount.optional().meta({ description: 'As the builder takes it.' }),
      })
      .meta({ description: 'Body to post; add `sender` to get the chain SDK’s own JSON, too.' }),
    tokenOfCall: z.int().min(1).optional().meta({
      description:
        'The `order` of the call that splits the token off: put the id of the token it created into the body.',
    }),
    paysOut: Amount.meta({
      description: 'Coins that come at least. Rewards earned until then come on top.',
    }),
  })
  .meta({ id: 'RebalanceCall' })

const PlannedEpoch = z
  .object({
    epoch: EpochNumber,
    startsAt: IsoTime.meta({ description: 'When the epoch is due to begin, or began.' }),
    requested: Amount.meta({ description: 'Principal whose withdrawal is requested.' }),
    withdrawn: Amount.meta({ description: 'Coins paid out at least, rewards included.' }),
    restaked: Amount.meta({ description: 'Coins staked.' }),
    left: Amount.meta({ description: 'Coins of the plan that are left when the epoch’s calls are done.' }),
  })
  .meta({ id: 'PlannedEpoch' })

/** What an agent asks with its key. */
export const stakingRows = {
  metadata: {
    tag: 'Agent',
    summary: 'Constants of the network',
    description: 'Token, units, minimum stake, epoch length and the ids that transactions refer to.',
    reply: z
      .object({
        network: NetworkName,
        minStakeAmount: Amount,
        decimals: z
          .int()
          .min(0)
          .max(36)
          .meta({ description: 'A whole token has 10 to this power smallest units.' }),
        coinType: z.string().meta({ description: 'Move type of the coin.' }),
        stakedTokenType: z.string().meta({ description: 'Move type of a staked token.' }),
        systemObjectId: z
          .string()
          .meta({ description: 'Id of the shared system object that staking calls take.' }),
        epochDurationMs: Milliseconds,
        minValidatorJoiningStake: Amount,
        symbol: TokenSymbol,
        units: z.record(z.string(), z.string()).meta({ description: 'The unit of each kind of field.' }),
      })
      .meta({ id: 'Metadata' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
  usage: {
    tag: 'Agent',
    summary: 'What your key has used',
    description: 'Limits, what is used of them and when they reset. This call counts too.',
    reply: z
      .object({
        tier: TierName,
        limits: RateLimits,
        used: RateLimits,
        remaining: RateLimits,
        resetAt: z
          .object({
            minute: IsoTime.meta({ description: 'When the minute window resets.' }),
            day: IsoTime.meta({ description: 'When the day window resets.' }),
          })
          .meta({ description: 'When the windows reset.' }),
        features: z
          .object({
            visibleValidators: z
              .int()
              .nullable()
              .meta({ description: 'How many of the best validators it sees. Null: all.' }),
            rebalancing: z.boolean().meta({ description: 'Whether it may ask for rebalance plans.' }),
          })
          .meta({ description: 'What the tier may do.' }),
      })
      .meta({ id: 'Usage' }),
  },
  scoredValidators: {
    tag: 'Agent',
    summary: 'Validators by score',
    description:
      'The best validators by composite score: 10 for free keys, 25 for builder keys, all for pro and enterprise. With `validators` exactly those, whatever the tier.',
    query: z.object({
      validators: chainIdList(LIMITS.scoredIds)
        .optional()
        .meta({
          description: `Up to ${LIMITS.scoredIds} validator ids with commas between; bypasses the tier filter.`,
        }),
    }),
    reply: z
      .object({
        validators: z
          .array(ScoredValidator)
          .meta({ description: 'The best score first; with `validators`, in the order they were named.' }),
        unknown: z.array(z.string()).meta({ description: 'Ids you named that do not exist.' }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        tierDetail: z
          .string()
          .meta({ description: 'The tier whose filter was applied.', examples: ['free'] }),
        scoreVersion: ScoreVersion,
      })
      .meta({ id: 'ScoredValidators' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
  allocate: {
    tag: 'Agent',
    summary: 'The optimal split of an amount',
    description:
      'Splits the amount over validators your tier can see so that the risk-adjusted yield is as high as the stated model allows, your own dilution included. Amounts sum exactly to `amount`, less what `keepLiquid` holds back. With `existing` or `owner`, what you hold stays where it is and the whole is optimised. The certificate bounds what any other split could reach.',
    body: z
      .strictObject({
        amount: Amount.meta({ description: 'What to split; at least `minStakeAmount`.' }),
        maxValidators: wholeFrom(1, LIMITS.allocationValidators.max)
          .default(LIMITS.allocationValidators.default)
          .meta({ description: 'The most validators to spread over.' }),
        existing: heldPositions.optional().meta({
          description:
            'What you have staked already. It stays where it is; the amount is placed so that the whole earns most.',
        }),
        owner: ChainIdInput.optional().meta({
          description: 'Instead of `existing`: the address whose staked tokens count as such.',
        }),
        ...stakeLimits,
        explain: z
          .boolean()
          .default(false)
          .meta({ description: 'Adds why each validator was chosen or not.' }),
        alternatives: z
          .boolean()
          .default(true)
          .meta({ description: 'Adds what other choices would bring; false leaves them out.' }),
      })
      .refine(({ existing, owner }) => existing === undefined || owner === undefined, {
        path: ['existing'],
        error: 'must be left out when `owner` is given',
      })
      .meta({ id: 'AllocateRequest' }),
    reply: z
      .object({
        allocations: z.array(AllocationItem).meta({ description: 'Largest amount first.' }),
        totalProjectedApy: Percent.meta({ description: 'After own dilution, weighted by amount.' }),
        certificate: Certificate,
        explanation: Explanation.optional(),
        alternatives: z.array(Alternative).optional().meta({
          description: 'What other counts of validators, other risk and plain rules would bring.',
        }),
        heldBack: Amount.meta({ description: 'What stays unstaked because of `keepLiquid`.' }),
        assumptions: z.array(z.string()).meta({
          description: 'What could not be read from the chain, and what is taken for granted instead.',
        }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        snapshotId: z.string().meta({ description: 'Names the data the answer was computed from.' }),
      })
      .meta({ id: 'Allocation' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
  planRebalance: {
    tag: 'Agent',
    summary: 'Whether and how to move existing stake',
    description:
      'Compares what you hold, accrued rewards included, with the optimum, net of what switching costs, and returns the fewest steps that pay — or none. `calls` carries the plan out: post each body to its path when its epoch has come, and execute what is built. Name your tokens in `positions`, or give their `owner`. Builder tier or higher.',
    body: z
      .strictObject({
        positions: heldPositions.min(1, { error: 'must have at least 1 item' }).optional().meta({
          description:
            'Your staked tokens. Their accrued rewards and states are read from the chain; a token that it does not know is taken as active, without rewards.',
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
      })
      .meta({ id: 'RebalanceRequest' }),
    reply: z
      .object({
        currentPositions: z
          .array(
            z.object({
              validator: ChainId,
              stakedAmount: Amount.meta({ description: 'Principal.' }),
              currentApy: Percent.meta({ description: '0 once its withdrawal was requested.' }),
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
            'The whole plan as calls of this API, withdrawals included, in the order to make them. Each is accepted when its epoch has come.',
        }),
        timeline: z
          .array(PlannedEpoch)
          .meta({ description: 'What the calls do with your coins, epoch by epoch.' }),
        assumptions: z.array(z.string()).meta({
          description: 'What could not be read from the chain, and what the plan takes for granted instead.',
        }),
        validUntil: IsoTime.meta({
          description:
            'The plan holds if the calls of the present epoch are executed before this time; ask again afterwards.',
        }),
        summary: z
          .object({
            currentWeightedApy: Percent,
            projectedWeightedApy: Percent,
            estimatedEpochsToComplete: z
              .int()
              .min(0)
              .meta({ description: 'Epochs until the last step is done.' }),
            breakEvenEpochs: z.number().nullable().meta({ description: 'Null when nothing moves.' }),
            horizonEpochs: z
              .int()
              .min(0)
              .meta({ description: 'How far ahead gains were weighed against costs.' }),
            recommendation: z
              .enum(['move', 'hold'])
              .meta({ description: 'Whether the steps are worth taking.' }),
            reason: z.string().meta({ description: 'Why, in one sentence.' }),
          })
          .meta({ description: 'The plan in figures.' }),
        certificate: Certificate,
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        snapshotId: z.string().meta({ description: 'Names the data the answer was computed from.' }),
      })
      .meta({ id: 'RebalancePlan' }),
    errors: ['forbidden', 'store_not_ready', 'rpc_unavailable'],
  },
  positions: {
    tag: 'Agent',
    summary: 'Staked tokens of an address',
    description: 'Each with its rewards so far, its state and what may be done with it next.',
    query: z.object({ owner: ChainIdInput.meta({ description: 'The address that owns the tokens.' }) }),
    reply: z
      .object({
        positions: z
          .array(
            z.object({
              stakedTokenId: ChainId,
              validatorId: ChainId,
              principal: Amount,
              rewards: Amount.meta({ description: 'Earned so far, on top of the principal.' }),
              state: TokenState,
              activationEpoch: EpochNumber,
              withdrawEpoch: EpochNumber.nullable().meta({
                description: 'The epoch from which it can be withdrawn. Null: not requested.',
              }),
              availableAt: IsoTime.nullable().meta({
                description: 'When it can be withdrawn, if that is known.',
              }),
              next: z.enum(['unstake', 'withdraw', 'wait']).meta({ description: 'What may be done now.' }),
            }),
          )
          .meta({ description: 'Every staked token of the address.' }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
      })
      .meta({ id: 'Positions' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
  delegators: {
    tag: 'Agent',
    summary: 'Who stakes with a validator',
    description:
      'In the order of their addresses. `syncing` is true, and the list empty, while the network has no list to offer.',
    params: z.object({ validatorId: ChainIdInput.meta({ description: 'Id of the validator.' }) }),
    query: PageQuery,
    reply: z
      .object({
        validatorId: ChainId,
        delegators: z
          .array(
            z.object({
              owner: ChainId.meta({ description: 'Address of the delegator.' }),
              stakedAmount: Amount.meta({ description: 'Principal of all its tokens.' }),
              tokens: z.int().min(1).meta({ description: 'Staked tokens it holds.' }),
            }),
          )
          .meta({ description: 'One page, in the order of their addresses.' }),
        syncing: z.boolean().meta({ description: 'True while the network has no list to offer.' }),
        nextCursor: NextCursor,
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
      })
      .meta({ id: 'Delegators' }),
    errors: ['not_found', 'store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>
