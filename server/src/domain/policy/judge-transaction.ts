import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { AgentRecord } from '#ports/stores/admission.ts'
import type { PolicyRevision, PolicyRule } from '#ports/stores/policies.ts'
import type { NetworkView } from '../network/network-view.ts'
import { expectedCommission } from '../staking/scoring/reward-pool.ts'
import type { PlannedAction } from '../staking/transactions/plan-action.ts'
import { brokenRules } from './check-policy.ts'
import type { PoliciesInForce } from './policies-in-force.ts'
import type { Breach, Facts, Wish } from './wish.ts'

type Needs = {
  readonly inForce: PoliciesInForce
  readonly chain: Pick<StakingChain, 'stakedTokensOf'>
  readonly clock: Clock
}

/** A transaction that is planned and not built yet. */
export type PlannedTransaction = {
  readonly view: NetworkView
  readonly planned: readonly PlannedAction[]
  readonly sender: string | undefined
  readonly isBatch: boolean
}

export type Verdict = {
  /** The newest revision; undefined: the agent has no policy. */
  readonly policy: PolicyRevision | undefined
  readonly breaches: readonly Breach[]
}

const NO_POLICY: Verdict = { policy: undefined, breaches: [] }
const ABOUT_HOLDINGS: ReadonlySet<PolicyRule['rule']> = new Set(['maxShare', 'minValidators'])

/** Holds a planned transaction against the policy of the agent. */
export function judgeTransactions({ inForce, chain, clock }: Needs) {
  return async (
    agent: Pick<AgentRecord, 'no' | 'policyRevision'>,
    transaction: PlannedTransaction,
    deadline: AbortSignal,
  ): Promise<Verdict> => {
    if (agent.policyRevision === undefined) return NO_POLICY
    const held = await inForce(agent, clock.now())
    const wish = wishOf(transaction)
    const rules = held.map(({ document }) => document.rules)
    const looksAtHoldings = rules.flat().some(({ rule }) => ABOUT_HOLDINGS.has(rule))
    const facts: Facts = {
      now: clock.now(),
      validator: validatorsIn(transaction.view),
      held:
        looksAtHoldings && wish.sender !== undefined
          ? await readHeld(chain, wish.sender, deadline)
          : undefined,
    }
    return { policy: held[0], breaches: distinct(rules.flatMap((each) => brokenRules(each, wish, facts))) }
  }
}

export type JudgeTransaction = ReturnType<typeof judgeTransactions>

function wishOf({ view, planned, sender, isBatch }: PlannedTransaction): Wish {
  return {
    network: view.snapshot.network,
    sender: sender ?? planned.find(({ moved }) => moved.owner !== undefined)?.moved.owner,
    items: planned.map(({ action, moved, leaving }) => ({
      action: action.kind,
      validatorId: moved.validatorId,
      amount: moved.amount,
      leavesStake: leaving !== undefined,
    })),
    isBatch,
  }
}

const validatorsIn =
  ({ byId }: NetworkView): Facts['validator'] =>
  (id) => {
    const found = byId.get(id)
    return found && { score: found.score, commission: expectedCommission(found.validator) }
  }

/** Stake that was asked back is no longer with its validator. */
async function readHeld(
  chain: Needs['chain'],
  owner: string,
  deadline: AbortSignal,
): Promise<ReadonlyMap<string, bigint>> {
  const held = new Map<string, bigint>()
  for (const { validatorId, principal, withdrawEpoch } of await chain.stakedTokensOf(owner, deadline)) {
    if (withdrawEpoch !== undefined) continue
    held.set(validatorId, (held.get(validatorId) ?? 0n) + principal)
  }
  return held
}

/** Two revisions that hold together mostly say the same. */
function distinct(breaches: readonly Breach[]): readonly Breach[] {
  return [...new Map(breaches.map((breach) => [JSON.stringify(breach), breach])).values()]
}
