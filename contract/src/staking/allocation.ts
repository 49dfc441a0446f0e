import { z } from 'zod'
import { ChainId, ChainIdInput } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import {
  Amount,
  ApyRange,
  DataAge,
  EpochNumber,
  FIGURES,
  Fraction,
  HistoryComplete,
  NextChangeAt,
  Percent,
  tokenUnit,
  ValidatorName,
} from '../fields.ts'
import { wholeFrom } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { PolicyCosts } from '../mandates/costs.ts'
import { heldPositions, stakeLimits } from '../stake-limits.ts'
import { inThousands } from '../texts/in-thousands.ts'

const AllocationItem = z
  .object({
    validatorId: ChainId,
    name: ValidatorName,
    amount: Amount,
    transactions: z.int().min(2).optional().meta({
      description: 'Stake it in so many transactions, because of the rule `maxPerTx` of the policy.',
    }),
    weight: Fraction.meta({ description: 'Fraction of the whole amount, 0 to 1.' }),
    projectedApy: Percent.meta({ description: 'Percent per 365 days, after dilution by your own stake.' }),
    range: ApyRange,
  })
  .meta({ id: 'AllocationItem' })

const Alternative = z
  .object({
    name: z.string().meta({
      description: `What is different: another \`maxValidators\`, a tenth of the \`riskAversion\`, ten times it (at least 1, at most ${inThousands(LIMITS.riskAversion.max)}), or a simple rule. What your limits do not allow is left out, and so is a \`riskAversion\` that is your own.`,
      examples: ['maxValidators 10'],
    }),
    validators: z.int().min(0).meta({ description: 'How many validators would get stake.' }),
    projectedApy: Percent.meta({ description: 'As `totalProjectedApy`, in percent per 365 days.' }),
    rewardsPerYear: Amount.meta({ description: 'As `rewardsPerYear` of the answer.' }),
  })
  .meta({ id: 'Alternative' })

const YearlyRate = z
  .number()
  .meta({ description: 'Percent of the amount per 365 days, not compounded.' })
  .register(FIGURES, { figure: 'percent' })

export const Certificate = z
  .object({
    value: YearlyRate.meta({
      description: 'What this split earns, less the price of risk: percent of the amount per 365 days.',
    }),
    bound: YearlyRate.meta({
      description:
        'Proven: in the stated model, no split has a higher `value`. Percent of the amount per 365 days.',
    }),
    gap: z
      .number()
      .min(0)
      .meta({
        description: '(bound − value) / bound, a fraction. 0, up to rounding: the split is proven optimal.',
      })
      .register(FIGURES, { figure: 'fraction' }),
    nodes: z.int().min(0).meta({ description: 'Nodes that the branch-and-bound search visited.' }),
  })
  .meta({
    id: 'Certificate',
    description: 'Proof of optimality for the stated model, made anew for every answer.',
  })

const Explanation = z
  .object({
    marginalRate: YearlyRate.meta({
      description:
        'What one more unit earns outside full groups, less the price of risk, in percent per 365 days: every chosen validator with `heldBy` marginal_rate gets stake until its own rate falls to this one.',
    }),
    chosen: z
      .array(
        z.object({
          validatorId: ChainId,
          name: ValidatorName,
          apyBefore: Percent.meta({ description: 'Percent per 365 days, before this stake dilutes it.' }),
          apyAfter: Percent.meta({ description: 'Percent per 365 days, with this stake in the pool.' }),
          marginalRate: YearlyRate.meta({
            description:
              'The yield of its last unit, after dilution and the price of risk, in percent per 365 days.',
          }),
          heldBy: z.enum(['whole_amount', 'max_share', 'min_stake', 'group_share', 'marginal_rate']).meta({
            description:
              'What limits its part. whole_amount: it gets everything · max_share: `maxShare`, or the most that it can take · min_stake: it gets the smallest stake only · group_share: its group is full · marginal_rate: one more unit earns as much elsewhere.',
          }),
        }),
      )
      .meta({ description: 'Every chosen validator, and what limits its part.' }),
    next: z
      .object({
        validatorId: ChainId,
        name: ValidatorName,
        entryRate: YearlyRate.meta({ description: 'The yield of its first unit, in percent per 365 days.' }),
        reason: z.enum(['max_validators', 'amount_too_small', 'rate_too_low']).meta({
          description:
            'max_validators: one more would pay · amount_too_small: it cannot be split further · rate_too_low: it would not pay.',
        }),
        costOfChoosing: YearlyRate.meta({
          description:
            'The least that would be lost if it replaced the weakest chosen one: percent of the amount per 365 days.',
        }),
      })
      .nullable()
      .meta({ description: 'The best validator that was not chosen; null when there is none.' }),
    curves: z
      .array(
        z.object({
          validatorId: ChainId,
          points: z.array(z.object({ amount: Amount, marginalRate: YearlyRate })).meta({
            description: 'The marginal rate at each amount, ascending by amount.',
          }),
        }),
      )
      .meta({ description: 'Curves of the chosen validators, in their order, then of `next`.' }),
  })
  .meta({ id: 'Explanation', description: 'Why these validators, and why not the next one.' })

/** How to split an amount. */
export const allocationRows = {
  allocate: {
    tag: 'Agent',
    summary: 'The optimal split of an amount',
    description:
      'Splits the amount over validators your tier can see for the highest risk-adjusted yield of the stated model, your own dilution included. Amounts sum to `amount`, less what `keepLiquid` holds back. With `existing` or `owner`, your present stake stays and the total is optimised. The certificate bounds what any other split over them could reach. `{{buildBatch}}` stakes all of it in one transaction.',
    body: z
      .strictObject({
        amount: Amount.meta({ description: 'What to split; at least `minStakeAmount`.' }),
        maxValidators: wholeFrom(1, LIMITS.allocationValidators.max)
          .default(LIMITS.allocationValidators.default)
          .meta({ description: 'The most validators to spread over.' }),
        existing: heldPositions.optional().meta({
          description:
            'What you have staked already. It stays where it is; the amount is placed so that the total earns most.',
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
          .meta({ description: 'Adds what other choices would earn; false leaves them out.' }),
      })
      .refine(({ existing, owner }) => existing === undefined || owner === undefined, {
        path: ['existing'],
        error: 'must be left out when `owner` is given',
      })
      .meta({ id: 'AllocateRequest' }),
    reply: z
      .object({
        allocations: z.array(AllocationItem).meta({ description: 'Largest amount first.' }),
        totalProjectedApy: Percent.meta({
          description:
            'Percent per 365 days, after your own dilution, of everything that you have staked then, `existing` included.',
        }),
        rewardsPerYear: Amount.meta({
          description: 'Rewards of everything that you have staked then, in 365 days, compounded.',
        }),
        range: ApyRange,
        certificate: Certificate,
        explanation: Explanation.optional(),
        alternatives: z.array(Alternative).optional().meta({
          description:
            'What other numbers of validators, another `riskAversion` and simple rules would earn.',
        }),
        policy: PolicyCosts,
        heldBack: Amount.meta({ description: 'What stays unstaked because of `keepLiquid`.' }),
        assumptions: z.array(z.string()).meta({
          description:
            'What could not be read from the chain, what is assumed instead, and how many validators the tier hides.',
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
      .meta({ id: 'Allocation' }),
    sums: [
      { list: 'allocations', field: 'amount', remainder: 'heldBack', isOfUnlisted: false, total: 'amount' },
    ],
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>
