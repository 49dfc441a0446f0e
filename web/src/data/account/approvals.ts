import type { Reply } from '@stakewright/client'
import { type PagedList, toPage, usePagedList } from '../pages-of.ts'
import { type Loaded, useQuery } from '../query.ts'
import { useStore } from '../store.ts'
import { lacksFactor, useFactor } from './second-factor.ts'
import { session } from './session.ts'
import { isAdmin } from './user.ts'

export type Approval = Reply<'readApproval'>['data']
export type WaitingApproval = Reply<'waitingApprovals'>['data'][number]

/**
 * What waits for the user's decision, over all of the user's agents. Nothing is asked while nobody is signed in, nor for
 * an admin who has to set up a second factor first and would be refused.
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

/** What an agent has asked for, newest first. */
export const useApprovalsOf = (agentId: string): PagedList<Approval> =>
  usePagedList({
    key: `user/approvals/${agentId}`,
    read: (client, cursor) => client.listApprovals({ id: agentId, ...cursor }).then(toPage),
    everyMs: 30_000,
  })
