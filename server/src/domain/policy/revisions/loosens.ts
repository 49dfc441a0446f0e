import type { PolicyDocument, PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import { lastHour } from '../time-rules.ts'

type AsStrict = {
  readonly [Name in PolicyRule['rule']]: (before: RuleOf<Name>, after: RuleOf<Name>) => boolean
}

/** Whether the new rule is at least as strict as the old one. */
const AS_STRICT: AsStrict = {
  actions: (before, after) => isWithin(after.allow, before.allow),
  networks: (before, after) => isWithin(after.allow, before.allow),
  senders: (before, after) => isWithin(after.allow, before.allow),
  recipients: (before, after) => isWithin(after.allow, before.allow),
  validators: (before, after) =>
    (before.allow === undefined || (after.allow !== undefined && isWithin(after.allow, before.allow))) &&
    isWithin(before.deny ?? [], after.deny ?? []),
  maxPerTx: isAmountAsStrict,
  maxPerWindow: isAmountAsStrict,
  approvalAbove: isAmountAsStrict,
  maxShare: (before, after) => after.share <= before.share,
  minScore: (before, after) => after.score >= before.score,
  maxCommission: (before, after) => after.commission <= before.commission,
  minValidators: (before, after) => after.validators >= before.validators,
  hours: (before, after) =>
    isWithin(after.days, before.days) && after.from >= before.from && lastHour(after) <= lastHour(before),
  paused: () => true,
  expires: (before, after) => Date.parse(after.at) <= Date.parse(before.at),
}

/**
 * Whether the policy may allow something that the previous one did not. False only if comparing rule by rule proves
 * it; in doubt true.
 */
export function loosens(before: PolicyDocument, after: PolicyDocument): boolean {
  if (after.loosenAfterSeconds < before.loosenAfterSeconds) return true
  const has = ({ rules }: PolicyDocument, name: string) => rules.some(({ rule }) => rule === name)
  // Without `actions` nothing is allowed.
  if (!has(before, 'actions')) return has(after, 'actions')
  if (!has(after, 'actions')) return false
  return !before.rules.every((rule) => after.rules.some((other) => isAsStrict(rule, other)))
}

function isAsStrict<Name extends PolicyRule['rule']>(before: RuleOf<Name>, after: PolicyRule): boolean {
  const name: Name = before.rule
  return isSameRule(before, after) && AS_STRICT[name](before, after)
}

const isSameRule = <Name extends PolicyRule['rule']>(
  before: RuleOf<Name>,
  after: PolicyRule,
): after is RuleOf<Name> => after.rule === before.rule && windowOf(after) === windowOf(before)

/** Limits for different windows are different rules. */
const windowOf = (rule: PolicyRule) => (rule.rule === 'maxPerWindow' ? rule.window : undefined)

type Counting = { readonly amount: string; readonly actions: readonly string[] }

function isAmountAsStrict(before: Counting, after: Counting): boolean {
  return BigInt(after.amount) <= BigInt(before.amount) && isWithin(before.actions, after.actions)
}

const isWithin = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((item) => whole.includes(item))
