import type { Scope } from '#ports/stores/agents.ts'
import type { Policies } from '#ports/stores/policies.ts'
import { CLOCK_STEP_MS, DAY_MS } from '../../../durations.ts'
import { Fault } from '../../../fault.ts'
import { secondsUntil } from '../../limits/window.ts'

/**
 * Limits of one agent's policy. A build is checked against every revision in force, a list of agents reads them, and the
 * seal of a policy covers all its revisions, so without limits one owner could make these as slow as they like.
 */
export type ChangeLimits = {
  /** Changes within 24 hours. */
  readonly perDay: number
  /** Revisions in force at the same time. */
  readonly inForce: number
}

type Needs = {
  readonly policies: Pick<Policies, 'revisions' | 'heldBy'>
  readonly limits: ChangeLimits
}

/** Refuses to replace the revision, unless both limits leave room for another one. */
export function refuseManyChanges({ policies, limits: { perDay, inForce } }: Needs) {
  return async (scope: Scope, agentId: string, replaces: number, now: number): Promise<void> => {
    // Revisions never change, and only the newest one can be replaced, so this reads the oldest of the last `perDay`.
    const [oldest] =
      (await policies.revisions(scope, agentId, { before: replaces - perDay + 2, limit: 1 })) ?? []
    // A date further ahead was written by a wrong clock.
    if (oldest && oldest.changedAt > now - DAY_MS && oldest.changedAt <= now + CLOCK_STEP_MS)
      throw tooMany(
        `The policy of this agent was changed ${perDay} times within 24 hours, which is the maximum.`,
        secondsUntil(oldest.changedAt + DAY_MS, now),
      )
    const [, ...beside] = (await policies.heldBy(scope, agentId, now)) ?? []
    const ends = beside.map(({ holdsUntil = now }) => holdsUntil).toSorted((one, other) => one - other)
    // More may be in force than allowed, because of a pause.
    const endOfSurplus = ends[ends.length + 1 - inForce]
    if (endOfSurplus !== undefined)
      throw tooMany(
        `${ends.length + 1} revisions of this policy are in force at once, because \`loosenAfterSeconds\` keeps replaced ones, and the maximum is ${inForce}.`,
        secondsUntil(endOfSurplus, now),
      )
  }
}

function tooMany(problem: string, retryAfterSeconds: number): Fault {
  const fix = `Try again in ${retryAfterSeconds} s. A change that only adds the rule \`paused\` is accepted at any time.`
  return new Fault('rate_limited', `${problem} ${fix}`, { fix, retryAfterSeconds })
}
