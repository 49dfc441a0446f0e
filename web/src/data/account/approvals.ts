import type { Reply } from '@stakewright/client'
import { type PagedList, toPage, usePagedList } from '../pages-of.ts'
import { type Loaded, useQuery } from '../query.ts'
import { useStore } from '../store.ts'
import { session } from './session.ts'

export type Approval = Reply<'readApproval'>['data']
export type WaitingApproval = Reply<'waitingApprovals'>['data'][number]

/** What waits for the user's decision, over all of the user's agents; nothing is asked while nobody is signed in. */
export function useWaitingApprovals(): PagedList<WaitingApproval> {
  const isSignedIn = useStore(session).user !== undefined
  return usePagedList(
    isSignedIn
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
