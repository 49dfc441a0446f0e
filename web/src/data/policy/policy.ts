import { OWN_EVERY_MS } from '../account/own-every.ts'
import { type Loaded, refreshQueries, useQuery } from '../query.ts'
import { call } from '../service.ts'
import type { Policy, PolicyDocument, PolicyRevision } from './rules.ts'

/** More are not read at once. */
const MOST_REVISIONS = 50

/** What the agent is held to; null: nothing. */
export const usePolicy = (id: string): Loaded<Policy | null> =>
  useQuery({
    key: `user/policy/${id}`,
    ask: async (client) => (await client.readPolicy({ id })).data,
    everyMs: OWN_EVERY_MS,
  })

export const useRevisions = (id: string): Loaded<readonly PolicyRevision[]> =>
  useQuery({
    key: `user/policy-revisions/${id}`,
    ask: async (client) => (await client.policyRevisions({ id, limit: MOST_REVISIONS })).data,
    everyMs: OWN_EVERY_MS,
  })

/** Replaces the policy, if it is still the one that was shown. */
export async function setPolicy(id: string, shown: Policy | null, next: PolicyDocument): Promise<void> {
  try {
    await call((client) => client.writePolicy({ id, ...next, revision: shown?.revision ?? 0 }))
  } finally {
    // Also after a failure: somebody else may have changed it.
    await refreshQueries('user/')
  }
}
