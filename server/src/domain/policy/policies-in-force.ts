import type { AgentRecord } from '#ports/stores/admission.ts'
import type { Policies, PolicyRevision } from '#ports/stores/policies.ts'
import { CLOCK_STEP_MS } from '../../durations.ts'

/** So many agents are cached at most. */
const MOST_KNOWN = 1_000

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
 * The revisions that an agent is held to, newest first. The number of the newest comes with the admission of each
 * request, read in its transaction. Revisions never change, so what was read for this number is right as long as the
 * number is: only a change costs a read, and it holds from its commit on, on every instance.
 */
export function policiesInForce({ policies }: { readonly policies: Policies }): PoliciesInForce {
  const known = new Map<number, Known>()
  return async ({ no, policyRevision }, now) => {
    if (policyRevision === undefined) return []
    let kept = known.get(no)
    // What was read by a clock that was ahead lacks what holds again, now that it was put right.
    if (kept?.revision !== policyRevision || now < kept.readAt - CLOCK_STEP_MS) {
      // A clock may step back a little: what has ended shortly before may hold again.
      const held = await policies.held(no, { now: now - CLOCK_STEP_MS, revision: policyRevision })
      // Another one may have been written since the admission: it holds already.
      kept = { revision: held[0]?.revision ?? policyRevision, held, readAt: now }
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(no, kept)
    }
    return stillHolding(kept.held, now)
  }
}

export const stillHolding = (held: readonly PolicyRevision[], now: number): readonly PolicyRevision[] =>
  held.filter(({ holdsUntil }) => holdsUntil === undefined || now < holdsUntil)
