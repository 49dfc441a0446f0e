import type { PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import { smaller } from '../amount.ts'
import type { StakeLimits } from '../staking/stake-limits.ts'

/** The rules that the optimiser can take as constraints. */
const SHAPING = ['validators', 'minScore', 'maxCommission', 'maxShare', 'maxPerTx', 'minValidators'] as const

export type ShapingRule = RuleOf<(typeof SHAPING)[number]>

const isShaping = (rule: PolicyRule): rule is ShapingRule => SHAPING.some((name) => name === rule.rule)

export const shapingRules = (rules: readonly PolicyRule[]): readonly ShapingRule[] => rules.filter(isShaping)

/** The caller's limits, tightened by the rules. */
export function limitsUnder<Limits extends StakeLimits>(
  limits: Limits,
  rules: readonly ShapingRule[],
  validatorIds: readonly string[],
): Limits {
  const shaped = { ...limits }
  for (const rule of rules) Object.assign(shaped, narrowed(shaped, rule, validatorIds))
  return shaped
}

function narrowed(limits: StakeLimits, rule: ShapingRule, validatorIds: readonly string[]): StakeLimits {
  switch (rule.rule) {
    case 'minScore':
      return { minScore: Math.max(limits.minScore ?? 0, rule.score) }
    case 'maxCommission':
      return { maxCommission: Math.min(limits.maxCommission ?? 1, rule.commission) }
    case 'maxShare':
      return {
        maxShare: Math.min(limits.maxShare ?? 1, rule.share),
        principalShare: Math.min(limits.principalShare ?? 1, rule.share),
      }
    case 'minValidators':
      return { fewest: Math.max(limits.fewest ?? 0, rule.validators) }
    case 'maxPerTx': {
      const counts = (action: (typeof rule.actions)[number]) => rule.actions.includes(action)
      const least = (most = BigInt(rule.amount)) => smaller(most, BigInt(rule.amount))
      return {
        ...(counts('stake') && { mostStaked: least(limits.mostStaked) }),
        ...(counts('unstake') && { mostRequested: least(limits.mostRequested) }),
        ...(counts('withdraw') && { mostWithdrawn: least(limits.mostWithdrawn) }),
      }
    }
    case 'validators': {
      const { allow, deny = [] } = rule
      const notAllowed = allow ? validatorIds.filter((id) => !allow.includes(id)) : []
      return { closed: new Set([...(limits.closed ?? []), ...notAllowed, ...deny]) }
    }
  }
}

type WithoutOne = { readonly rule: ShapingRule['rule']; readonly others: readonly ShapingRule[] }

/** For each kind of rule, the rules of all other kinds. */
export const withoutEach = (rules: readonly ShapingRule[]): readonly WithoutOne[] =>
  SHAPING.filter((name) => rules.some(({ rule }) => rule === name)).map((name) => ({
    rule: name,
    others: rules.filter(({ rule }) => rule !== name),
  }))

/** The cost of a rule: the yield without it (undefined: there is no feasible split) less the yield with all rules. */
export const costOf = (without: number | undefined, present: number): number =>
  without === undefined ? 0 : Math.max(0, without - present)
