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
        'policy: one allocation, then every plan followed · policy_held: the same allocation, never moved · top_mean_held: equal parts with the validators of the highest mean rates over 10 epochs, never moved · patient: as top_mean_held, but a validator that falls below rank 2 × `maxValidators` is replaced · oracle: knows the next epoch, moves for free and uses any number of pools, so nothing can do better.',
    }),
    netApr: Rate.meta({
      description: 'Mean over all epochs of the walk, after the cost of moving. Percent per 365 days.',
    }),
    rewards: Amount.meta({ description: 'What the amount would have earned in all these epochs.' }),
    deviation: Rate.meta({
      description: 'Standard deviation of the rate from epoch to epoch, in percentage points.',
    }),
    worstEpoch: Rate.meta({ description: 'The lowest rate of an epoch, in percent per 365 days.' }),
    turnover: Fraction.meta({ description: 'The fraction of the stake that moves in an epoch, on average.' }),
    switchingCost: Rate.meta({ description: 'What moving cost: percent per 365 days.' }),
  })
  .meta({ id: 'BacktestLine', description: 'One way to stake, walked through the same epochs.' })

/** Backtests of a rule. */
export const backtestRows = {
  backtest: {
    tag: 'Agent',
    summary: 'What a policy would have earned',
    description:
      'Walks through the last epochs on record: allocates `amount` by your limits as it would have been done then, follows every plan, and counts the actual rewards, less your own dilution; stake that moves earns nothing in the epoch in which it arrives. For comparison: holding, two simple rules, and an oracle. One backtest runs at a time, over at most 20,000 records (validators × epochs).',
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
          .meta({ description: 'Epochs from one plan to the next.' }),
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
          .meta({ description: '`netApr` of policy divided by that of oracle.', examples: [0.97] }),
        epochs: z
          .array(
            z.object({
              epoch: EpochNumber.meta({ description: 'The epoch whose rewards were paid.' }),
              policy: Rate,
              held: Rate.meta({ description: 'Rate of policy_held, in percent per 365 days.' }),
              patient: Rate,
              oracle: Percent.meta({ description: 'Percent per 365 days, not compounded.' }),
              moved: Fraction.meta({
                description: 'The fraction of the stake that policy moved before this epoch.',
              }),
            }),
          )
          .meta({ description: 'Epoch by epoch, ascending.' }),
        assumptions: z.array(z.string()).meta({
          description: 'What the history does not tell and was assumed, and what it lacks.',
        }),
        epoch: EpochNumber,
        dataAgeSeconds: DataAge,
        nextChangeAt: NextChangeAt,
        ...tokenUnit,
        historyComplete: HistoryComplete,
        snapshotId: z
          .string()
          .meta({ description: 'Id of the snapshot of chain data that the answer was computed from.' }),
      })
      .meta({ id: 'Backtest' }),
    errors: ['forbidden', 'store_not_ready', 'rpc_unavailable', 'service_overloaded'],
  },
} as const satisfies Record<string, EndpointSpec>
