import type { PolicyRevision } from '#ports/stores/policies.ts'
import { brokenRules } from './check-policy.ts'
import { nextAllowed } from './time-rules.ts'
import type { Breach, Facts, Wish } from './wish.ts'

type Held = Pick<PolicyRevision, 'document' | 'holdsUntil'>

/**
 * The rules of all revisions in force that the wish breaks. `clearsAt` also respects all rules about time, even those
 * not broken now, so the wish is allowed once the last breach has cleared.
 */
export const brokenBy = (held: readonly Held[], wish: Wish, facts: Facts): readonly Breach[] =>
  distinct(held.flatMap((each) => brokenWhileHeld(each, wish, facts))).map(({ clearsAt, ...breach }) => ({
    ...breach,
    clearsAt: clearsAt === undefined ? undefined : nextAllowed(held, clearsAt),
  }))

/** A breach of a revision clears when the revision ends. */
function brokenWhileHeld({ document, holdsUntil }: Held, wish: Wish, facts: Facts): readonly Breach[] {
  const broken = brokenRules(document.rules, wish, facts)
  if (holdsUntil === undefined) return broken
  return broken.map((breach) => ({
    ...breach,
    clearsAt: Math.min(breach.clearsAt ?? holdsUntil, holdsUntil),
  }))
}

/** Merges equal breaches of several revisions: they clear when the last one does. */
function distinct(breaches: readonly Breach[]): readonly Breach[] {
  const found = new Map<string, Breach>()
  for (const { clearsAt, ...same } of breaches) {
    const key = JSON.stringify(same)
    const other = found.get(key)
    found.set(key, { ...same, clearsAt: other ? later(other.clearsAt, clearsAt) : clearsAt })
  }
  return [...found.values()]
}

/** The later of two times; undefined means never. */
const later = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : Math.max(one, other)
