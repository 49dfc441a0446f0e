import type { Reply } from '@stakewright/contract'
import type { NetworkView } from '#domain/network/network-view.ts'
import { forbiddenBuilds } from '#domain/policy/cases/forbidden-builds.ts'
import { costsOf, limitsUnder, type ShapingRule, shapingRules } from '#domain/policy/shape-limits.ts'
import type { StakeLimits } from '#domain/staking/stake-limits.ts'
import type { StakingAction } from '#ports/chain/staking-chain.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import { Fault, wrongField } from '../../../fault.ts'
import { toBrokenRule, toPercent } from '../shapes.ts'

/** What the answer advises to build, for whom, if that is known, and when. */
type Advised = {
  readonly actions: readonly StakingAction['kind'][]
  readonly sender: string | undefined
  readonly now: number
}

type PolicyPart = Pick<Reply<'allocate'>, 'policy'>

/** The limits of a caller under the policy of its agent, and what each rule costs. Without a policy nothing changes. */
export function underPolicy(held: readonly PolicyRevision[], limits: StakeLimits, view: NetworkView) {
  const [newest] = held
  if (!newest) return { limits, costs: (): PolicyPart => ({}), find: <T>(work: () => T): T => work() }
  const ids = [...view.byId.keys()]
  const rules = shapingRules(held.flatMap(({ document }) => document.rules))
  const under = (some: readonly ShapingRule[]): StakeLimits => ({
    closed: new Set(),
    ...limitsUnder(limits, some, ids),
  })
  const costs = (
    yieldWith: (limits: StakeLimits) => number,
    present: number,
    { now, ...advised }: Advised,
  ): PolicyPart => ({
    policy: {
      revision: newest.revision,
      policyHash: newest.hash,
      costs: costsOf(rules, (some) => undefinedIfRefused(() => yieldWith(under(some))), present).map(
        ({ rule, cost }) => ({ rule, apy: toPercent(cost) }),
      ),
      forbids: forbiddenBuilds(held, { network: view.snapshot.network, ...advised }, now).map(toBrokenRule),
    },
  })
  const shaped = under(rules)
  return { limits: shaped, costs, find: <T>(work: () => T): T => namingPolicyInFault(work, limits, shaped) }
}

const FIX =
  'Ask the owner of the agent to change its policy, or try another amount or more validators within it.'

/** A limit that the caller has not sent is not theirs to change: the refusal says whose it is. */
function namingPolicyInFault<T>(work: () => T, own: StakeLimits, shaped: StakeLimits): T {
  try {
    return work()
  } catch (error) {
    const rule = error instanceof Fault ? ruleBehind(error, own, shaped) : undefined
    if (rule === undefined) throw error
    const value = rule === 'validators' ? '' : ` (${shaped[rule]})`
    const tooFew = error instanceof Fault && error.details?.find(({ field }) => field === 'maxValidators')
    if (tooFew)
      throw wrongField(
        tooFew.field,
        `${tooFew.message}, because ${rule}${value} of the policy of this agent takes that many`,
      )
    const message = `is set by the policy of this agent${value}, and leaves nothing to choose from`
    throw new Fault('invalid_input', `${rule} ${message}. ${FIX}`, {
      cause: error,
      details: [{ field: rule, message }],
      fix: FIX,
      next: { endpoint: 'ownPolicy' },
    })
  }
}

const SET_BY_RULES = ['minScore', 'maxCommission', 'maxShare'] as const

/** The rule that has narrowed what the refusal names; undefined where that is the caller's own. */
function ruleBehind({ code, details }: Fault, own: StakeLimits, shaped: StakeLimits) {
  const named = SET_BY_RULES.find((name) => details?.some(({ field }) => field === name))
  if (named !== undefined && shaped[named] !== own[named]) return named
  return code === 'store_not_ready' && shaped.closed?.size ? 'validators' : undefined
}

/** With a rule less there is more to choose from; where the caller's own limits still leave nothing, there is no figure. */
function undefinedIfRefused(find: () => number): number | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
