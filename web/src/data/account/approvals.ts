import type { Reply } from '@stakewright/client'
import { type Loaded, useQuery } from '../query.ts'
import { useStore } from '../store.ts'
import { session } from './session.ts'

export type Approval = Reply<'readApproval'>['data']
export type WaitingApproval = Reply<'waitingApprovals'>['data'][number]

/** More are not read at once. */
const MOST = 100

/** What waits for the user's decision, over all of the user's agents; nothing is asked while nobody is signed in. */
export function useWaitingApprovals(): Loaded<readonly WaitingApproval[]> {
  const isSignedIn = useStore(session).user !== undefined
  return useQuery(
    isSignedIn
      ? {
          key: 'user/approvals/waiting',
          ask: async (client) => (await client.waitingApprovals({ limit: MOST })).data,
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
export const useApprovalsOf = (agentId: string): Loaded<readonly Approval[]> =>
  useQuery({
    key: `user/approvals/${agentId}`,
    ask: async (client) => (await client.listApprovals({ id: agentId, limit: MOST })).data,
    everyMs: 30_000,
  })
