import type { PolicyRule } from '#ports/stores/policies.ts'
import { brokenBy } from '../held-policies.ts'
import { policyRefusal } from '../policy-refusal.ts'
import { type Breach, NOTHING_BUILT, type Wish } from '../wish.ts'
import type { HeldAgent, JudgeNeeds } from './open-case.ts'

/** Rules that may forbid all builds at a time. */
const ABOUT_NOW: ReadonlySet<Breach['rule']> = new Set(['paused', 'expires', 'hours'])

const ANYTHING: Wish = { network: 'sandbox', sender: undefined, items: [], isBatch: false }

/** Added because a policy without the rule `actions` would refuse everything. `ANYTHING` has no actions to check. */
const NO_ACTION: PolicyRule = { rule: 'actions', allow: ['stake'] }

/**
 * Refuses to return a built transaction again while the policy forbids all builds. Other rules were checked when it
 * was built and are not checked again: the caller may already have it.
 */
export function repeatTransactions({ inForce, clock }: Pick<JudgeNeeds, 'inForce' | 'clock'>) {
  return async (agent: HeldAgent): Promise<void> => {
    const now = clock.now()
    const held = (await inForce(agent, now)).map(({ document, holdsUntil }) => ({
      document: {
        ...document,
        rules: [NO_ACTION, ...document.rules.filter(({ rule }) => ABOUT_NOW.has(rule))],
      },
      holdsUntil,
    }))
    const facts = { now, validator: () => undefined, tokens: undefined, epoch: { number: 0, endsAt: now } }
    const breaches = brokenBy(held, ANYTHING, { ...facts, ...NOTHING_BUILT })
    if (breaches.length > 0) throw policyRefusal(breaches)
  }
}

export type RepeatTransaction = ReturnType<typeof repeatTransactions>
