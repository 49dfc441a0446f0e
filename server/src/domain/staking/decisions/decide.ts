import { Fault } from '../../../fault.ts'
import type { Allocation } from '../allocation/allocation.ts'
import type { AllocationRequest } from '../allocation/allocation-terms.ts'
import type { Alternative } from '../allocation/alternatives.ts'
import { planRebalance, type RebalancePlan, type RebalanceRequest } from '../rebalance/plan-rebalance.ts'
import { TooMuchWork, withinWork } from '../solver/capped/search-work.ts'
import type { StakeLimits } from '../stake-limits.ts'
import type { StakeOptions } from '../stake-options.ts'

/** A question to the optimiser. It is plain data, so that it can be sent to a thread. */
type Question<Request> = {
  readonly asked: Request
  readonly limits: StakeLimits
  /** Other limits, for which only the yield is wanted. */
  readonly others: readonly StakeLimits[]
}

export type AllocationQuestion = Question<Omit<AllocationRequest, keyof StakeLimits>> & {
  readonly kind: 'allocation'
  readonly wantsAlternatives: boolean
}

export type PlanQuestion = Question<Omit<RebalanceRequest, keyof StakeLimits>> & { readonly kind: 'plan' }

/**
 * The yields under the other limits, in order; undefined: there is no solution under them. Those for which the work did
 * not suffice are missing at the end.
 */
export type Yields = readonly (number | undefined)[]

export type AllocationDecision = {
  readonly allocation: Allocation
  readonly alternatives: readonly Alternative[]
  readonly yields: Yields
}

export type PlanDecision = { readonly plan: RebalancePlan; readonly yields: Yields }

/** Prepared for one market. */
type Allocating = {
  readonly allocate: (request: AllocationRequest) => Allocation
  readonly alternatives: (request: AllocationRequest, own: Allocation) => readonly Alternative[]
}

/** `yieldWork`: the limit of the search work for yields under other limits; unlimited if omitted. */
export function decideAllocation(
  { allocate, alternatives }: Allocating,
  { asked, limits, others, wantsAlternatives }: AllocationQuestion,
  yieldWork?: number,
): AllocationDecision {
  const request = { ...limits, ...asked }
  const allocation = allocate(request)
  return {
    allocation,
    alternatives: wantsAlternatives ? alternatives(request, allocation) : [],
    yields: yieldsUnder(
      others,
      (other) => allocate({ ...other, ...asked, explain: false }).totalProjectedApy,
      yieldWork,
    ),
  }
}

export function decidePlan(
  market: StakeOptions,
  { asked, limits, others }: PlanQuestion,
  yieldWork?: number,
): PlanDecision {
  return {
    plan: planRebalance(market, { ...limits, ...asked }),
    yields: yieldsUnder(
      others,
      (other) => planRebalance(market, { ...other, ...asked }).summary.projectedWeightedApy,
      yieldWork,
    ),
  }
}

function yieldsUnder(
  others: readonly StakeLimits[],
  yieldUnder: (other: StakeLimits) => number,
  work: number | undefined,
): Yields {
  const yields: (number | undefined)[] = []
  const findAll = () => {
    for (const other of others) yields.push(undefinedIfRefused(() => yieldUnder(other)))
  }
  try {
    if (work === undefined) findAll()
    else withinWork(work, findAll)
  } catch (error) {
    if (work === undefined || !(error instanceof TooMuchWork)) throw error
  }
  return yields
}

function undefinedIfRefused(find: () => number): number | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
