import type { Reply } from '@stakewright/client'
import { type PagedList, toPage, usePagedList } from '../paged-list.ts'
import { type Loaded, useQuery } from '../query.ts'
import { useStore } from '../store.ts'
import { lacksFactor, useFactor } from './second-factor.ts'
import { session } from './session.ts'
import { isAdmin } from './user.ts'

export type Approval = Reply<'readApproval'>['data']
export type WaitingApproval = Reply<'waitingApprovals'>['data'][number]

/**
 * Approvals that wait for the user's decision, of all the user's agents. No request while nobody is signed in, or
 * for an admin without the required second factor, whose request would be refused.
 */
export function useWaitingApprovals(): PagedList<WaitingApproval> {
  const { user } = useStore(session)
  const admin = user !== undefined && isAdmin(user)
  const factor = useFactor(admin)
  const mayAsk = !admin || (factor.data !== undefined && !lacksFactor(factor)) || factor.error !== undefined
  return usePagedList(
    user && mayAsk
      ? {
          key: 'user/approvals/waiting',
          read: (client, cursor) => client.waitingApprovals(cursor).then(toPage),
          everyMs: 30_000,
        }
      : undefined,
  )
}

/** One approval, in whatever state it is. */
export const useApproval = (agentId: string, approvalId: string): Loaded<Approval> =>
  useQuery({
    key: `user/approvals/${agentId}/${approvalId}`,
    ask: async (client) => (await client.readApproval({ id: agentId, approvalId })).data,
    everyMs: 10_000,
  })

/** Approvals of an agent, newest first. */
export const useApprovalsOf = (agentId: string): PagedList<Approval> =>
  usePagedList({
    key: `user/approvals/${agentId}`,
    read: (client, cursor) => client.listApprovals({ id: agentId, ...cursor }).then(toPage),
    everyMs: 30_000,
  })
