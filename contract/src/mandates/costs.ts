import { z } from 'zod'
import { Percent } from '../fields.ts'
import { BrokenRule } from './policy.ts'

/** How a policy affects advice. */
export const PolicyCosts = z
  .object({
    revision: z.int().min(1).meta({ description: 'The newest revision of the policy.' }),
    policyHash: z.string().meta({ description: 'Its hash.' }),
    costs: z
      .array(
        z.object({
          rule: z
            .enum(['validators', 'minScore', 'maxCommission', 'maxShare', 'maxPerTx', 'minValidators'])
            .meta({ description: 'Name of the rule.' }),
          apy: Percent.meta({
            description: 'Percentage points of APY that the answer would gain without this one rule.',
          }),
        }),
      )
      .meta({
        description:
          'The cost of each rule that changed the answer. A rule is missing if calculating its cost takes too long.',
      }),
    forbids: z.array(BrokenRule).meta({
      description:
        'Rules that forbid any build of this kind now: `actions`, `networks`, `hours`, `paused`, `expires`, and with `owner` also `senders` and `recipients`. Windows, approvals and rules about amounts and validators are not checked here, so an empty list does not mean that the build is allowed: policy/simulate checks all.',
    }),
  })
  .meta({ id: 'PolicyCosts' })
  .optional()
  .meta({ description: 'The policy that the answer complies with; absent: the agent has none.' })
