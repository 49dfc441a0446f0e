import type { PolicyRevision } from '#ports/stores/policies.ts'
import { brokenRules } from './check-policy.ts'
import type { Breach, Facts, Wish } from './wish.ts'

type Held = Pick<PolicyRevision, 'document' | 'holdsUntil'>

/** What the wish breaks of all revisions that hold together. */
export const brokenBy = (held: readonly Held[], wish: Wish, facts: Facts): readonly Breach[] =>
  distinct(held.flatMap((each) => brokenWhileHeld(each, wish, facts)))

/** What a revision forbids it forbids no more once it has ended. */
function brokenWhileHeld({ document, holdsUntil }: Held, wish: Wish, facts: Facts): readonly Breach[] {
  const broken = brokenRules(document.rules, wish, facts)
  if (holdsUntil === undefined) return broken
  return broken.map((breach) => ({
    ...breach,
    clearsAt: Math.min(breach.clearsAt ?? holdsUntil, holdsUntil),
  }))
}

/** Two revisions that hold together mostly say the same: it is over when both are kept. */
function distinct(breaches: readonly Breach[]): readonly Breach[] {
  const found = new Map<string, Breach>()
  for (const { clearsAt, ...same } of breaches) {
    const key = JSON.stringify(same)
    const other = found.get(key)
    found.set(key, { ...same, clearsAt: other ? later(other.clearsAt, clearsAt) : clearsAt })
  }
  return [...found.values()]
}

/** Undefined is never. */
const later = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : Math.max(one, other)
