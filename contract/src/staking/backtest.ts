import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  DataAge,
  EpochNumber,
  FIGURES,
  Fraction,
  HistoryComplete,
  NextChangeAt,
  Percent,
  tokenUnit,
} from '../fields.ts'
import { wholeFrom } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { stakeLimits } from '../stake-limits.ts'

const { keepLiquid: _, ...policyLimits } = stakeLimits

const Rate = z
  .number()
  .meta({ description: 'Percent per 365 days, not compounded.' })
  .register(FIGURES, { figure: 'percent' })

const BacktestLine = z
  .object({
    name: z.enum(['policy', 'policy_held', 'top_mean_held', 'patient', 'oracle']).meta({
      description:
        'policy: one allocation, then every plan followed · policy_held: the same allocation, never moved · top_mean_held: the highest mean rates of 10 epochs in equal parts, never moved · patient: the same, but what falls below twice `maxValidators` in rank is replaced · oracle: knows the next epoch, moves for free and fills any number of pools: nothing can do better.',
    }),
    netApr: Rate.meta({
      description: 'Mean over all epochs of the walk, after the cost of moving. Percent per 365 days.',
    }),
    rewards: Amount.meta({ description: 'What the amount would have earned in all of them.' }),
    deviation: Rate.meta({ description: 'Standard deviation from epoch to epoch.' }),
    worstEpoch: Rate.meta({ description: 'The lowest rate of an epoch.' }),
    turnover: Fraction.meta({ description: 'The part that moves in an epoch, on average.' }),
    switchingCost: Rate.meta({ description: 'What moving cost: percent per 365 days.' }),
  })
  .meta({ id: 'BacktestLine', description: 'One way to stake, walked through the same epochs.' })

/** Backtests of a rule. */
export const backtestRows = {
  backtest: {
    tag: 'Agent',
    summary: 'What a policy would have earned',
    description:
      'Walks through the last epochs on record: allocates `amount` by your limits as it would have been done then, follows every plan, and pays what was really paid, less your own dilution; stake that moves earns nothing in the epoch in which it arrives. Beside it: holding, two plain rules, and an oracle. One backtest runs at a time, over at most 20,000 records (validators × epochs).',
    body: z
      .strictObject({
        amount: Amount.meta({ description: 'What to stake; at least `minStakeAmount`.' }),
        maxValidators: wholeFrom(1, LIMITS.allocationValidators.max)
          .default(LIMITS.allocationValidators.default)
          .meta({ description: 'The most validators to spread over at first; plans may add targets.' }),
        epochs: wholeFrom(LIMITS.backtestEpochs.min, LIMITS.backtestEpochs.max)
          .default(LIMITS.backtestEpochs.default)
          .meta({ description: 'How many of the last epochs to walk through.' }),
        everyEpochs: wholeFrom(1, LIMITS.backtestEpochs.max)
          .default(1)
          .meta({ description: 'A plan is asked for every so many epochs.' }),
        ...policyLimits,
      })
      .meta({ id: 'BacktestRequest' }),
    reply: z
      .object({
        results: z
          .array(BacktestLine)
          .meta({ description: 'Empty when the history is too short; `assumptions` says how short.' }),
        partOfOracle: z
          .number()
          .register(FIGURES, { figure: 'fraction' })
          .nullable()
          .meta({ description: 'netApr of the policy as a part of the oracle’s.', examples: [0.97] }),
        epochs: z
          .array(
            z.object({
              epoch: EpochNumber.meta({ description: 'The epoch that paid.' }),
              policy: Rate,
              held: Rate.meta({ description: 'Of policy_held.' }),
              patient: Rate,
              oracle: Percent.meta({ description: 'Percent per 365 days, not compounded.' }),
              moved: Fraction.meta({ description: 'The part that the policy moved before it.' }),
            }),
          )
          .meta({ description: 'Epoch by epoch, ascending.' }),
        assumptions: z.array(z.string()).meta({
          description: 'What the history does not tell and was taken for granted, and where it falls short.',
        }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
        historyComplete: HistoryComplete,
        snapshotId: z.string().meta({ description: 'Names the data the answer was computed from.' }),
      })
      .meta({ id: 'Backtest' }),
    errors: ['forbidden', 'store_not_ready', 'rpc_unavailable', 'service_overloaded'],
  },
} as const satisfies Record<string, EndpointSpec>
