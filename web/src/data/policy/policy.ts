import { StakewrightError } from '@stakewright/client'
import { act } from '../account/act.ts'
import { OWN_REFRESH_MS } from '../account/own-refresh.ts'
import { type PagedList, usePagedList } from '../lists/paged-list.ts'
import { toPage } from '../lists/read-pages.ts'
import { type Loaded, useQuery } from '../query.ts'
import type { Policy, PolicyDocument, PolicyRevision } from './rules.ts'

/** The agent's policy; null if it has none. */
export const usePolicy = (id: string): Loaded<Policy | null> =>
  useQuery({
    key: `user/policy/${id}`,
    ask: async (client) => (await client.readPolicy({ id })).data,
    everyMs: OWN_REFRESH_MS,
  })

/** Newest first. */
export const useRevisions = (id: string): PagedList<PolicyRevision> =>
  usePagedList({
    key: `user/policy-revisions/${id}`,
    read: (client, cursor) => client.policyRevisions({ id, ...cursor }).then(toPage),
    everyMs: OWN_REFRESH_MS,
  })

/** Replaces the policy, if it is still the one that was shown. */
export async function setPolicy(id: string, shown: Policy | null, next: PolicyDocument): Promise<void> {
  try {
    await act((client) => client.writePolicy({ id, ...next, revision: shown?.revision ?? 0 }))
  } catch (error) {
    // The refusal names headers and revisions; the page shows what the newer revision changed.
    if (error instanceof StakewrightError && error.status === 412)
      throw new Error('Nothing was set: the policy was changed meanwhile.', { cause: error })
    throw error
  }
}
