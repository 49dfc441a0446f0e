import type { PolicyRule, RuleOf } from '#ports/stores/policies.ts'
import { brokenByShare } from './holdings/max-share.ts'
import { brokenBySpread } from './holdings/min-validators.ts'
import { brokenByOpenItems } from './reservations/open-items.ts'
import { brokenByOtherUses } from './reservations/token-uses.ts'
import { brokenByExpiry, brokenByHours } from './time-rules.ts'
import { SETTLING_MS } from './unseen-builds.ts'
import { brokenByValidator } from './validator-rules.ts'
import { brokenByWindow, movedBy } from './window-rules.ts'
import type { Breach, Facts, Found, Wish } from './wish.ts'

type Check<Name extends PolicyRule['rule']> = (
  rule: RuleOf<Name>,
  wish: Wish,
  facts: Facts,
) => readonly Found[]

type RuleTable = {
  readonly [Name in PolicyRule['rule']]: { readonly field: string; readonly check: Check<Name> }
}

/** Every rule of a policy as a function of wish and facts. */
const RULES: RuleTable = {
  actions: {
    field: 'action',
    check: ({ allow }, wish, facts) => [
      ...outside(allow, actionsOf(wish)),
      ...brokenByOtherUses(wish, facts, SETTLING_MS),
      ...brokenByOpenItems(wish, facts, SETTLING_MS),
    ],
  },
  networks: { field: 'network', check: ({ allow }, { network }) => outside(allow, [network]) },
  validators: { field: 'validatorId', check: brokenByValidator.validators },
  minScore: { field: 'validatorId', check: brokenByValidator.minScore },
  maxCommission: { field: 'validatorId', check: brokenByValidator.maxCommission },
  maxShare: { field: 'amount', check: brokenByShare },
  minValidators: { field: 'validatorId', check: brokenBySpread },
  maxPerTx: {
    field: 'amount',
    check: ({ amount, actions }, wish) => above(amount, movedBy(wish.items, actions)),
  },
  maxPerWindow: { field: 'amount', check: brokenByWindow },
  hours: { field: 'policy', check: (rule, _, { now }) => brokenByHours(rule, now) },
  senders: { field: 'sender', check: ({ allow }, { sender }) => outside(allow, [sender ?? UNNAMED]) },
  // Withdrawn coins always go to the signer.
  recipients: { field: 'sender', check: ({ allow }, { sender }) => outside(allow, [sender ?? UNNAMED]) },
  // Never a breach: above the amount the build waits for the owner's approval.
  approvalAbove: { field: 'amount', check: () => [] },
  paused: {
    field: 'policy',
    check: () => [{ limit: 'no transactions', actual: 'a transaction', clearsAt: undefined }],
  },
  expires: { field: 'policy', check: ({ at }, _, { now }) => brokenByExpiry(at, now) },
}

const UNNAMED = 'nobody: send `sender`'

/** Every rule that the wish breaks. Without the rule `actions`, everything is refused. */
export function brokenRules(rules: readonly PolicyRule[], wish: Wish, facts: Facts): readonly Breach[] {
  const missing = rules.some(({ rule }) => rule === 'actions') ? [] : noActions(wish)
  return [...missing, ...rules.flatMap((rule) => breachesOf(rule, wish, facts))]
}

function breachesOf<Name extends PolicyRule['rule']>(
  rule: RuleOf<Name>,
  wish: Wish,
  facts: Facts,
): readonly Breach[] {
  const name: Name = rule.rule
  const { field, check } = RULES[name]
  return check(rule, wish, facts).map((found) => ({ field, rule: name, ...found }))
}

const noActions = (wish: Wish): readonly Breach[] => [
  {
    rule: 'actions',
    field: 'action',
    limit: 'none',
    actual: actionsOf(wish).join(', '),
    clearsAt: undefined,
  },
]

const actionsOf = ({ items }: Wish): readonly string[] => [...new Set(items.map(({ action }) => action))]

/** More names than this are counted instead of listed. */
const MAX_NAMED = 5

function outside(allow: readonly string[], asked: readonly string[]): readonly Found[] {
  const limit = allow.length > MAX_NAMED ? `one of the ${allow.length} allowed` : allow.join(', ')
  return asked
    .filter((name) => !allow.includes(name))
    .map((actual) => ({ limit, actual, clearsAt: undefined }))
}

const above = (limit: string, actual: bigint): readonly Found[] =>
  actual > BigInt(limit) ? [{ limit, actual: String(actual), clearsAt: undefined }] : []
