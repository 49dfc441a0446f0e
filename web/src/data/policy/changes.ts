import { ruleKey } from '@stakewright/contract/rule-values'
import { type Policy, type PolicyDocument, type PolicyRule, paused, resumed } from './rules.ts'

/** A rule that was added, dropped or changed. */
export type RuleChange =
  | { readonly kind: 'added'; readonly after: PolicyRule }
  | { readonly kind: 'dropped'; readonly before: PolicyRule }
  | { readonly kind: 'changed'; readonly before: PolicyRule; readonly after: PolicyRule }

const byKey = (rules: readonly PolicyRule[]) => new Map(rules.map((rule) => [ruleKey(rule), rule]))

/** Compares rules: independent of the order of their fields and lists, and of the form of a timestamp. */
const textOf = (rule: PolicyRule): string =>
  rule.rule === 'expires'
    ? String(Date.parse(rule.at))
    : JSON.stringify(
        Object.entries(rule)
          .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
          .toSorted(),
      )

export function ruleChanges(
  before: readonly PolicyRule[],
  after: readonly PolicyRule[],
): readonly RuleChange[] {
  const [old, next] = [byKey(before), byKey(after)]
  const changes: RuleChange[] = []
  for (const [key, rule] of next) {
    const was = old.get(key)
    if (!was) changes.push({ kind: 'added', after: rule })
    else if (textOf(was) !== textOf(rule)) changes.push({ kind: 'changed', before: was, after: rule })
  }
  for (const [key, rule] of old) if (!next.has(key)) changes.push({ kind: 'dropped', before: rule })
  return changes
}

/** Whether two policies mean the same. */
export const isSamePolicy = (a: PolicyDocument, b: PolicyDocument): boolean =>
  a.loosenAfterSeconds === b.loosenAfterSeconds && ruleChanges(a.rules, b.rules).length === 0

/** Whether the agent was only paused or resumed between these two. */
export const isOnlyStop = (before: Policy | null, after: Policy): boolean =>
  isSamePolicy(paused(before), after) || (before !== null && isSamePolicy(resumed(before), after))
