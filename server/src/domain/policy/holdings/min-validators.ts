import type { RuleOf } from '#ports/stores/policies.ts'
import { type Unseen, unseenBuilds } from '../unseen-builds.ts'
import type { Facts, Found, Wish } from '../wish.ts'
import { type Amounts, changed, changesIn, changesStake, heldIn } from './amounts.ts'
import { sizesOfSets } from './executed-sets.ts'
import { expiriesOf, foundWithClearTime, unknownHoldings } from './pending-breach.ts'

/** Up to this many pending transactions that affect the number of validators, all combinations are tried. */
const MAX_TRIED = 10

const AT_WORST = `at worst: with more than ${MAX_TRIED} transactions that were built and are not on the chain yet, not every order of them is checked; wait until the chain shows some, or release them`

/**
 * Breaches of `minValidators`. Adding a validator or unstaking everything is allowed even while there are too few.
 */
export function brokenBySpread(
  { validators }: RuleOf<'minValidators'>,
  wish: Wish,
  facts: Facts,
): readonly Found[] {
  if (!changesStake(wish)) return []
  const limit = String(validators)
  const { tokens } = facts
  if (!tokens) return [unknownHoldings(limit)]
  const held = heldIn(tokens)
  const changes = changesIn(wish)
  const judge = (open: readonly Unseen[]) => judged({ held, changes, open }, validators)
  const unseen = unseenBuilds(wish, { ...facts, tokens })
  const { fewest, isExact } = judge(unseen)
  if (fewest === undefined) return []
  const isBrokenAfter = (moment: number) =>
    judge(unseen.filter(({ settlesAt }) => settlesAt > moment)).fewest !== undefined
  const found = foundWithClearTime(limit, String(fewest), expiriesOf(unseen), isBrokenAfter)
  return [isExact || found.clearsAt === undefined ? found : { ...found, actual: `${fewest} ${AT_WORST}` }]
}

type Question = { readonly held: Amounts; readonly changes: Amounts; readonly open: readonly Unseen[] }
/** The fewest validators that a broken order leaves; undefined: no order breaks the rule. */
type Answer = { readonly fewest: number | undefined; readonly isExact: boolean }

function judged(question: Question, validators: number): Answer {
  const { held, changes, open } = question
  const kept = keptBy(held, [changes, ...open.map((one) => one.changes)])
  const received = [...changes].filter(([, amount]) => amount > 0n).map(([id]) => id)
  // After the wish these have stake, whatever else is executed.
  const certain = new Set([...kept, ...received]).size
  if (validators <= 1 || certain >= validators) return { fewest: undefined, isExact: true }
  // Validators that keep stake in every outcome only add `kept.size`; transactions that change only these are dropped.
  const without = (amounts: Amounts): Amounts => new Map([...amounts].filter(([id]) => !kept.has(id)))
  const deciding = open
    .map((one) => ({ ...one, changes: without(one.changes) }))
    .filter((one) => one.changes.size > 0)
  const rest = { held: without(held), changes: without(changes), open: deciding }
  if (deciding.length <= MAX_TRIED)
    return { fewest: fewestInOrders(rest, { validators, kept: kept.size }), isExact: true }
  return { fewest: onlyAdds(question) ? undefined : certain, isExact: false }
}

/** The validators that keep stake even if all of this is taken, and nothing is added. */
function keptBy(held: Amounts, all: readonly Amounts[]): ReadonlySet<string> {
  const takes = all.flatMap((changes) => [...changes].filter(([, amount]) => amount < 0n))
  return new Set(changed(held, takes).keys())
}

/**
 * Whether the wish only stakes with validators that have no stake otherwise, and the pending transactions cannot take
 * out everything. Then the wish adds the same number of validators to every state: it keeps the rule itself, and a
 * transaction that breaks the rule after the wish would also break it without the wish.
 */
function onlyAdds({ held, changes, open }: Question): boolean {
  const isNew = ([id, amount]: readonly [string, bigint]) =>
    amount > 0n && !held.has(id) && !open.some(({ receiving }) => receiving.has(id))
  const canBeEmptied =
    held.size > 0 &&
    keptBy(
      held,
      open.map((one) => one.changes),
    ).size === 0
  return [...changes].every(isNew) && !canBeEmptied
}

/**
 * The state of the chain depends only on the set of executed transactions, so every order is a path through the sets.
 * The wish breaks the rule if a step of a path does: its own, or that of a later pending transaction that would keep
 * the rule from the same set without the wish. A pending transaction that breaks the rule even without the wish is
 * not held against it: with the wish it leaves more validators, or the wish's own step after it is a breach. Finding
 * the worst set is a covering problem, hence the limit on the number of transactions.
 */
function fewestInOrders(
  { held, changes, open }: Question,
  { validators, kept }: { readonly validators: number; readonly kept: number },
): number | undefined {
  const sets = sizesOfSets(held, open)
  const withWish = sizesOfSets(changed(held, changes), open)
  const breaks = (before = 0, after = 0) => after + kept > 0 && after + kept < validators && after <= before
  const left: number[] = []
  for (const [set, size] of sets.entries()) {
    const after = withWish[set]
    if (after === undefined) continue
    if (breaks(size, after)) left.push(after)
    for (const at of open.keys()) {
      const next = set | (1 << at)
      const last = withWish[next]
      if (next === set || last === undefined) continue
      if (breaks(after, last) && !breaks(size, sets[next])) left.push(last)
    }
  }
  return left.length === 0 ? undefined : kept + left.reduce((one, other) => Math.min(one, other))
}
