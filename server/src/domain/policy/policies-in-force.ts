import type { AgentRecord } from '#ports/stores/admission.ts'
import type { Policies, PolicyRevision } from '#ports/stores/policies.ts'
import { sizedCache } from '../../basics/sized-cache.ts'
import { CLOCK_STEP_MS } from '../../durations.ts'

/** The size of the cache in characters of JSON. An owner chooses the size of a policy, up to that of a request. */
const MAX_KNOWN = 10_000_000

export type PoliciesInForce = (
  agent: Pick<AgentRecord, 'no' | 'policyRevision'>,
  now: number,
) => Promise<readonly PolicyRevision[]>

type Known = {
  readonly revision: number
  readonly held: readonly PolicyRevision[]
  readonly readAt: number
}

/**
 * The revisions in force for an agent, newest first. Admission reads the number of the newest one in its
 * transaction. Revisions are immutable, so a cache by this number is exact: only a change costs a read, and it is
 * in force from its commit on, on every instance.
 */
export function policiesInForce({ policies }: { readonly policies: Policies }): PoliciesInForce {
  const known = sizedCache<number, Known>(MAX_KNOWN)
  return async ({ no, policyRevision }, now) => {
    if (policyRevision === undefined) return []
    let kept = known.get(no)
    // After a clock was corrected backwards, the cached list may lack revisions that are in force again.
    if (kept?.revision !== policyRevision || now < kept.readAt - CLOCK_STEP_MS) {
      // Includes recently ended revisions, in case the clock steps back a little.
      const held = await policies.held(no, { now: now - CLOCK_STEP_MS, revision: policyRevision })
      // A revision written since admission is already in force.
      kept = { revision: held[0]?.revision ?? policyRevision, held, readAt: now }
      known.set(no, kept, JSON.stringify(held).length)
    }
    return stillHolding(kept.held, now)
  }
}

const stillHolding = (held: readonly PolicyRevision[], now: number): readonly PolicyRevision[] =>
  held.filter(({ holdsUntil }) => holdsUntil === undefined || now < holdsUntil)
