import { z } from 'zod'
import { ChainId, chainIdList } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  DataAge,
  Decimals,
  EpochNumber,
  Fraction,
  HistoryComplete,
  IneligibleReasons,
  IsoTime,
  Milliseconds,
  NetworkName,
  NextChangeAt,
  RateLimits,
  Score,
  ScoreComponents,
  ScoreVersion,
  TierName,
  TokenSymbol,
  tokenUnit,
  UptimeSource,
  ValidatorApy,
  ValidatorName,
  validatorFilters,
} from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { ListPage, listQuery, sortedListOf } from '../lists.ts'

const ScoredValidator = z
  .object({
    validatorId: ChainId,
    name: ValidatorName,
    score: Score,
    apy: ValidatorApy,
    commissionRate: Fraction,
    totalStake: Amount,
    uptime: Fraction.nullable().meta({
      description: 'Share of the last 30 completed epochs it performed in. Null: no history yet.',
    }),
    uptimeSource: UptimeSource.nullable().meta({
      description: 'How the uptime was measured. Null: no history yet.',
    }),
    components: ScoreComponents,
    ineligible: IneligibleReasons,
  })
  .meta({ id: 'ScoredValidator' })

const SCORED = sortedListOf('validators', ScoredValidator, {
  id: 'validatorId',
  compact: ['validatorId', 'name', 'score', 'apy', 'commissionRate', 'totalStake'],
  sort: {
    score: 'desc',
    apy: 'desc',
    uptime: 'desc',
    commissionRate: 'asc',
    totalStake: 'desc',
    name: 'asc',
    validatorId: 'asc',
  },
  sortedBy: 'score',
})

/** Data about the network and about the agent itself, for an agent's key. */
export const agentDataRows = {
  metadata: {
    tag: 'Agent',
    summary: 'Constants of the network',
    description: 'Token, units, minimum stake, epoch length and the ids that transactions refer to.',
    reply: z
      .object({
        network: NetworkName,
        minStakeAmount: Amount.meta({ description: 'The smallest amount that can be staked.' }),
        decimals: Decimals,
        coinType: z.string().meta({ description: 'Move type of the coin.' }),
        stakedTokenType: z.string().meta({ description: 'Move type of a staked token.' }),
        systemObjectId: z
          .string()
          .meta({ description: 'Id of the shared object that every staking call takes as an argument.' }),
        epochDurationMs: Milliseconds,
        minValidatorJoiningStake: Amount.meta({
          description: 'The stake with which a new validator gets a place in the set.',
        }),
        symbol: TokenSymbol,
        units: z.record(z.string(), z.string()).meta({ description: 'The unit of each kind of field.' }),
      })
      .meta({ id: 'Metadata' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
  usage: {
    tag: 'Agent',
    summary: 'Limits and usage of your key',
    description: 'Limits of your key, what is used of them, and when they reset. This call counts.',
    reply: z
      .object({
        tier: TierName,
        limits: RateLimits,
        used: RateLimits,
        remaining: RateLimits,
        addressRpm: z
          .int()
          .min(1)
          .optional()
          .meta({
            description:
              'Requests per UTC minute that one network address may send, with all its keys and without a key. Above that, requests are refused with 429, even if the key has some left.',
            examples: [100],
          }),
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
              .meta({ description: 'How many of the best validators by score the tier sees. Null: all.' }),
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
      'The best validators by score: 10 for free keys, 25 for builder keys, all for pro and enterprise. With `validators` exactly those, whatever the tier.',
    query: z.object({
      validators: chainIdList(LIMITS.scoredIds)
        .optional()
        .meta({
          description: `Up to ${LIMITS.scoredIds} validator ids with commas between, also those that the tier hides.`,
        }),
      ...validatorFilters,
      ...listQuery(SCORED),
    }),
    list: SCORED,
    reply: z
      .object({
        validators: z
          .array(ScoredValidator)
          .meta({ description: 'The best score first; with `validators`, in the order they were named.' }),
        ...ListPage,
        unknown: z.array(z.string()).meta({ description: 'Ids you named that do not exist.' }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        tierDetail: z
          .string()
          .meta({ description: 'The tier whose filter was applied.', examples: ['free'] }),
        scoreVersion: ScoreVersion,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
        historyComplete: HistoryComplete,
      })
      .meta({ id: 'ScoredValidators' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>
