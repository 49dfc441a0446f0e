import type { PolicyRevision, PolicyRule } from '#ports/stores/policies.ts'
import { brokenBy } from '../held-policies.ts'
import { type Breach, NOTHING_BUILT, type Wish, type WishItem } from '../wish.ts'

/** Rules that do not depend on the amounts and validators of a build. */
const ABOUT_ANY_BUILD: ReadonlySet<PolicyRule['rule']> = new Set([
  'actions',
  'networks',
  'senders',
  'recipients',
  'hours',
  'paused',
  'expires',
])

const ABOUT_SENDER: ReadonlySet<PolicyRule['rule']> = new Set(['senders', 'recipients'])

type Advised = Pick<Wish, 'network' | 'sender'> & { readonly actions: readonly WishItem['action'][] }

/**
 * The rules that forbid building the advised actions, by the same check as builds. An unknown sender is not checked.
 */
export function forbiddenBuilds(
  held: readonly PolicyRevision[],
  { network, sender, actions }: Advised,
  now: number,
): readonly Breach[] {
  if (actions.length === 0) return []
  const isAsked = ({ rule }: PolicyRule) =>
    ABOUT_ANY_BUILD.has(rule) && (sender !== undefined || !ABOUT_SENDER.has(rule))
  const asked = held.map(({ document, holdsUntil }) => ({
    document: { ...document, rules: document.rules.filter(isAsked) },
    holdsUntil,
  }))
  const items = [...new Set(actions)].map((action) => ({
    action,
    validatorId: '',
    amount: 0n,
    leavesStake: false,
    token: undefined,
  }))
  const facts = { now, validator: () => undefined, tokens: undefined, epoch: { number: 0, endsAt: now } }
  return brokenBy(asked, { network, sender, items, isBatch: false }, { ...facts, ...NOTHING_BUILT })
}
