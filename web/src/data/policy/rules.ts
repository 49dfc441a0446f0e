import type { Reply } from '@stakewright/client'
import { ACTIONS } from '@stakewright/contract/rule-values'

export type Policy = NonNullable<Reply<'readPolicy'>['data']>
export type PolicyRule = Policy['rules'][number]
export type PolicyRevision = Reply<'policyRevisions'>['data'][number]
export type PolicyDocument = Pick<Policy, 'rules' | 'loosenAfterSeconds'>
export type RuleOf<Name extends PolicyRule['rule']> = Extract<PolicyRule, { rule: Name }>
export type Action = RuleOf<'actions'>['allow'][number]
/** Actions whose amounts count. */
export type MovingAction = RuleOf<'maxPerTx'>['actions'][number]
export type Window = RuleOf<'maxPerWindow'>['window']
export type Day = RuleOf<'hours'>['days'][number]
export type NetworkName = RuleOf<'networks'>['allow'][number]

export const isPaused = (policy: Policy | null): boolean =>
  policy?.rules.some(({ rule }) => rule === 'paused') ?? false

/**
 * Whether nothing can be built now: the policy is paused, or a pause is still in force until its loosening delay is
 * over.
 */
export const isStopped = (policy: Policy | null): boolean =>
  isPaused(policy) ||
  (policy?.beside.some(({ rules }) => rules.some(({ rule }) => rule === 'paused')) ?? false)

/** Whether no transaction can reach the amount above which the owner is asked: another rule refuses it first. */
export function isNeverAsked(rules: readonly PolicyRule[]): boolean {
  const asked = rules.find((rule): rule is RuleOf<'approvalAbove'> => rule.rule === 'approvalAbove')
  if (!asked) return false
  return rules.some(
    (rule) =>
      (rule.rule === 'maxPerTx' || rule.rule === 'maxPerWindow') &&
      BigInt(rule.amount) <= BigInt(asked.amount) &&
      asked.actions.every((action) => rule.actions.includes(action)),
  )
}

/** Whether a limit that counts these actions stops exits as well. */
export const limitsExits = (actions: readonly MovingAction[]): boolean =>
  actions.some((action) => action !== 'stake')

/**
 * The same policy, with everything stopped. Without a policy everything was allowed, so resuming must allow
 * everything again.
 */
export const paused = (policy: Policy | null): PolicyDocument => ({
  rules: [...(policy?.rules ?? [{ rule: 'actions', allow: [...ACTIONS] }]), { rule: 'paused' }],
  loosenAfterSeconds: policy?.loosenAfterSeconds ?? 0,
})

export const resumed = ({ rules, loosenAfterSeconds }: Policy): PolicyDocument => ({
  rules: rules.filter(({ rule }) => rule !== 'paused'),
  loosenAfterSeconds,
})
