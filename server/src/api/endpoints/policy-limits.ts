import type { Reply } from '@stakewright/contract'
import type { NetworkView } from '#domain/network/network-view.ts'
import { costsOf, limitsUnder, type ShapingRule, shapingRules } from '#domain/policy/shape-limits.ts'
import type { StakeLimits } from '#domain/staking/stake-limits.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import { Fault } from '../../fault.ts'
import { toPercent } from './shapes.ts'

type PolicyPart = Pick<Reply<'allocate'>, 'policy'>

/** The limits of a caller under the policy of its agent, and what each rule costs. Without a policy nothing changes. */
export function underPolicy(held: readonly PolicyRevision[], limits: StakeLimits, view: NetworkView) {
  const [newest] = held
  if (!newest) return { limits, costs: (): PolicyPart => ({}) }
  const ids = [...view.byId.keys()]
  const rules = shapingRules(held.flatMap(({ document }) => document.rules))
  const under = (some: readonly ShapingRule[]): StakeLimits => ({
    closed: new Set(),
    ...limitsUnder(limits, some, ids),
  })
  const costs = (yieldWith: (limits: StakeLimits) => number, present: number): PolicyPart => ({
    policy: {
      revision: newest.revision,
      policyHash: newest.hash,
      costs: costsOf(rules, (some) => orNothing(() => yieldWith(under(some))), present).map(
        ({ rule, cost }) => ({ rule, apy: toPercent(cost) }),
      ),
    },
  })
  return { limits: under(rules), costs }
}

/** With a rule less there is more to choose from; where the caller's own limits still leave nothing, there is no figure. */
function orNothing(find: () => number): number | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
