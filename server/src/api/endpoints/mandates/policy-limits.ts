import type { Reply } from '@stakewright/contract'
import type { ErrorDetail } from '@stakewright/contract/errors'
import type { NetworkView } from '#domain/network/network-view.ts'
import { forbiddenBuilds } from '#domain/policy/cases/forbidden-builds.ts'
import {
  costOf,
  limitsUnder,
  type ShapingRule,
  shapingRules,
  withoutEach,
} from '#domain/policy/shape-limits.ts'
import type { Yields } from '#domain/staking/decisions/decide.ts'
import type { StakeLimits } from '#domain/staking/stake-limits.ts'
import type { StakingAction } from '#ports/chain/staking-chain.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import { Fault, wrongFields } from '../../../fault.ts'
import { toBrokenRule, toPercent } from '../shapes.ts'

/** The builds that the answer advises, with their sender, if it is known, and the time. */
type Advised = {
  readonly actions: readonly StakingAction['kind'][]
  readonly sender: string | undefined
  readonly now: number
}

type PolicyPart = Pick<Reply<'allocate'>, 'policy'>

/**
 * Narrows the limits of a caller by the policy of its agent. `others` are the limits with one rule left out each;
 * `costs` takes the yields under them.
 */
export function underPolicy(held: readonly PolicyRevision[], limits: StakeLimits, view: NetworkView) {
  const [newest] = held
  if (!newest)
    return { limits, others: [], costs: (): PolicyPart => ({}), explain: (error: unknown) => error }
  const ids = [...view.byId.keys()]
  const rules = shapingRules(held.flatMap(({ document }) => document.rules))
  const under = (some: readonly ShapingRule[]): StakeLimits => ({
    closed: new Set(),
    ...limitsUnder(limits, some, ids),
  })
  const relaxed = withoutEach(rules)
  const costs = (yields: Yields, present: number, { now, ...advised }: Advised): PolicyPart => ({
    policy: {
      revision: newest.revision,
      policyHash: newest.hash,
      costs: relaxed
        .slice(0, yields.length)
        .map(({ rule }, at) => ({ rule, apy: toPercent(costOf(yields[at], present)) })),
      forbids: forbiddenBuilds(held, { network: view.snapshot.network, ...advised }, now).map(toBrokenRule),
    },
  })
  const shaped = under(rules)
  return {
    limits: shaped,
    others: relaxed.map(({ others }) => under(others)),
    costs,
    explain: (error: unknown) => namingPolicy(error, limits, shaped),
  }
}

/** If a limit of the policy, not one of the caller, leaves no solution, the refusal names the policy's rule. */
function namingPolicy(error: unknown, own: StakeLimits, shaped: StakeLimits): unknown {
  const rule = error instanceof Fault ? ruleBehind(error, own, shaped) : undefined
  if (rule === undefined) return error
  const details = (error instanceof Fault && error.details) || []
  const value = rule === 'validators' ? '' : ` (${shaped[rule]})`
  const because = `because ${rule}${value} of the policy of this agent requires that many`
  const [first, ...others] = CALLERS.flatMap(({ field, what }) =>
    details
      .filter((one) => one.field === field)
      .map(({ message }) => ({ field, problem: `${message}, ${because}${what}` })),
  )
  if (first) return wrongFields(first, ...others)
  // Behind the semicolon is what a caller could do about a limit of its own.
  const problem = details.find(({ field }) => field === rule)?.message.split('; ')[0]
  const message = `is set by the policy of this agent${value}, and ${problem ?? 'leaves no validator to stake with'}`
  const fix = ownersFix(rule, details, shaped)
  return new Fault('invalid_input', `${rule} ${message}. ${fix}`, {
    cause: error,
    details: [{ field: rule, message }],
    fix,
    next: { endpoint: 'ownPolicy' },
  })
}

/** The fields by which a caller can keep to the policy. */
const CALLERS = [
  { field: 'maxValidators', what: '' },
  { field: 'amount', what: ' validators, each with the smallest stake (minStakeAmount)' },
] as const

/** Names the rules whose change helps; nothing that the caller can send does. */
function ownersFix(rule: string, details: readonly ErrorDetail[], { closed }: StakeLimits): string {
  const perTx = details.find(({ field }) => field === 'maxPerTx')
  const isClosed = rule === 'maxShare' && perTx === undefined && closed !== undefined && closed.size > 0
  const raised = perTx ? `, or maxPerTx, which ${perTx.message}` : ''
  const opened = isClosed ? ', or to allow more validators' : ''
  return `Ask the owner of the agent to change ${rule} in its policy${raised}${opened}.`
}

const SET_BY_RULES = ['minScore', 'maxCommission', 'maxShare'] as const

/** The policy's rule that narrowed the limit in the refusal; undefined: the limit is the caller's own. */
function ruleBehind({ code, details }: Fault, own: StakeLimits, shaped: StakeLimits) {
  const named = SET_BY_RULES.find((name) => details?.some(({ field }) => field === name))
  if (named !== undefined && shaped[named] !== own[named]) return named
  return code === 'store_not_ready' && shaped.closed?.size ? 'validators' : undefined
}
