import { z } from 'zod'
import { ChainIdInput } from '../chain-id.ts'
import { Amount, MomentInput } from '../fields.ts'
import { numberFrom, oneOf, wholeFrom } from '../inputs.ts'
import { NETWORK_NAMES } from '../networks.ts'
import { ACTIONS, DAYS, MOVING_ACTIONS, ruleKey, WINDOWS } from './rule-values.ts'

/** The rules of a policy: a closed list without an expression language. */

const named = <const Name extends string>(name: Name) =>
  z.literal(name).meta({ description: 'Name of the rule.' })

const eachOnce = <Item extends z.ZodType>(item: Item, most: number) =>
  z
    .array(item)
    .min(1, { error: 'must have at least 1 item' })
    .max(most, { error: `must have at most ${most} items` })
    .refine((items) => new Set(items).size === items.length, { error: 'must name each item once' })

const Ids = eachOnce(ChainIdInput, 200)
const Counted = eachOnce(oneOf(MOVING_ACTIONS), MOVING_ACTIONS.length)
  .default([...MOVING_ACTIONS])
  .meta({ description: 'The actions whose amounts count; left out: all.' })

/** All rules must hold. A missing rule limits nothing, except `actions`: without it nothing may be built. */
export const PolicyRule = z
  .discriminatedUnion('rule', [
    z.strictObject({
      rule: named('actions'),
      allow: eachOnce(oneOf(ACTIONS), ACTIONS.length).meta({
        description: 'What may be built. Without this rule, nothing may.',
      }),
    }),
    z.strictObject({
      rule: named('networks'),
      allow: eachOnce(oneOf(NETWORK_NAMES), NETWORK_NAMES.length).meta({
        description: 'Networks on which transactions may be built.',
      }),
    }),
    z
      .strictObject({
        rule: named('validators'),
        allow: Ids.optional().meta({ description: 'Stake may go to these only. Left out: to all.' }),
        deny: Ids.optional().meta({
          description: 'No stake may go to these. Stake that is there may be withdrawn.',
        }),
      })
      .refine(({ allow, deny }) => allow !== undefined || deny !== undefined, {
        error: 'must have `allow`, `deny` or both',
      }),
    z.strictObject({
      rule: named('maxPerTx'),
      amount: Amount.meta({ description: 'The most that one transaction may move.' }),
      actions: Counted,
    }),
    z.strictObject({
      rule: named('maxPerWindow'),
      amount: Amount.meta({ description: 'The most that may be built within the window.' }),
      window: oneOf(WINDOWS).meta({
        description: 'The last 60 minutes, 24 hours or 30 days before now, or the present epoch.',
      }),
      actions: Counted,
    }),
    z.strictObject({
      rule: named('maxShare'),
      share: z
        .number({ error: 'must be a number above 0, up to 1' })
        .gt(0, { error: 'must be above 0' })
        .max(1, { error: 'must be at most 1' })
        .meta({
          description:
            'The largest fraction of everything the sender has staked, this transaction included, that may lie with a validator which receives stake.',
        }),
    }),
    z.strictObject({
      rule: named('minScore'),
      score: numberFrom(0, 100).meta({ description: 'Validators below this score receive no stake.' }),
    }),
    z.strictObject({
      rule: named('maxCommission'),
      commission: numberFrom(0, 1).meta({
        description:
          'Validators with a higher commission, present or announced, receive no stake. A fraction.',
      }),
    }),
    z.strictObject({
      rule: named('minValidators'),
      validators: wholeFrom(1, 50).meta({
        description:
          'A transaction must not leave the sender’s stake with fewer validators than this, unless it raises their number or takes everything out.',
      }),
    }),
    z
      .strictObject({
        rule: named('hours'),
        days: eachOnce(oneOf(DAYS), DAYS.length)
          .default([...DAYS])
          .meta({ description: 'Days of the week on which the hours begin, UTC; left out: all.' }),
        from: wholeFrom(0, 23).default(0).meta({ description: 'The first hour of these days, UTC.' }),
        to: wholeFrom(1, 24).default(24).meta({
          description: 'The hour at which they end, UTC; on the next day if it is below `from`.',
        }),
      })
      .refine(({ from, to }) => from !== to, {
        error: '`from` and `to` must differ; leave both out for whole days',
      }),
    z.strictObject({
      rule: named('senders'),
      allow: Ids.meta({ description: 'Addresses that may sign.' }),
    }),
    z.strictObject({
      rule: named('recipients'),
      allow: Ids.meta({
        description: 'Addresses that may receive what comes out. The service sends all of it to the sender.',
      }),
    }),
    z.strictObject({
      rule: named('approvalAbove'),
      amount: Amount.meta({
        description: 'A transaction that moves more than this is built only once the owner has approved.',
      }),
      actions: Counted,
    }),
    z.strictObject({ rule: named('paused') }),
    z.strictObject({
      rule: named('expires'),
      at: MomentInput.meta({ description: 'From this moment on nothing may be built.' }),
    }),
  ])
  .meta({ id: 'PolicyRule', description: 'One rule.' })

export const PolicyRuleName = z
  .enum(PolicyRule.options.map(({ shape }) => shape.rule.value))
  .meta({ description: 'Name of the rule.' })

const MAX_LOOSENING_SECONDS = 2_592_000

export const policyFields = {
  rules: z
    .array(PolicyRule)
    .max(20, { error: 'must have at most 20 rules' })
    .refine((rules) => new Set(rules.map(ruleKey)).size === rules.length, {
      error: 'must have each rule once, and `maxPerWindow` once for each window',
    })
    .meta({ description: 'All of them must hold. An empty list allows no transaction.' }),
  loosenAfterSeconds: wholeFrom(0, MAX_LOOSENING_SECONDS).default(0).meta({
    description:
      'When this policy is replaced, it stays in force beside the new one for this long: what is tightened holds at once, what is loosened only later.',
  }),
} as const

export const PolicyDocument = z.strictObject(policyFields)

export type PolicyDocument = z.output<typeof PolicyDocument>
export type PolicyRule = z.output<typeof PolicyRule>
