import type { Input, Reply } from '@stakewright/client'
import { useEffect, useRef } from 'preact/hooks'
import { type PagedList, usePagedList } from '../lists/paged-list.ts'
import { PAGE, toPage } from '../lists/read-pages.ts'
import { type Loaded, refreshQueries, useQuery } from '../query.ts'
import { useStore } from '../store.ts'
import { lacksFactor, useFactor } from './second-factor.ts'
import { session } from './session.ts'
import { isAdmin } from './user.ts'

export type Approval = Reply<'readApproval'>['data']
/** With the agent that asks. */
export type ApprovalOfAgent = Reply<'waitingApprovals'>['data'][number]
export type ListedState = NonNullable<NonNullable<Input<'waitingApprovals'>>['state']>

const WAITING = 'user/approvals/waiting'

/** Approvals that wait for the user's decision. An admin without the required second factor would be refused. */
export function useWaitingApprovals(): PagedList<ApprovalOfAgent> {
  const { user } = useStore(session)
  const admin = user !== undefined && isAdmin(user)
  const factor = useFactor(admin)
  const mayAsk = !admin || (factor.data !== undefined && !lacksFactor(factor)) || factor.error !== undefined
  return usePagedList(
    user && mayAsk
      ? {
          key: WAITING,
          read: (client, cursor) => client.waitingApprovals(cursor).then(toPage),
          everyMs: 30_000,
        }
      : undefined,
  )
}

/** Refresh interval of the list while the user is active: agents wait for the decision. */
const QUICK_REFRESH_MS = 4_000
/** The user counts as active for this long after the last input: an open list must not use up the daily quota. */
const ACTIVE_MS = 600_000

/** The same for the page of waiting approvals, which shows new ones within seconds while the user is active. */
export function useAwaitedApprovals(): PagedList<ApprovalOfAgent> {
  const list = useWaitingApprovals()
  // After an error the retry time holds, and a list longer than a page costs several requests.
  const isQuick = list.error === undefined && (list.data?.length ?? 0) < PAGE
  useEffect(() => {
    if (!isQuick) return
    let activeAt = Date.now()
    const noteActivity = () => {
      activeAt = Date.now()
    }
    const timer = setInterval(() => {
      const isActive = document.visibilityState === 'visible' && Date.now() - activeAt < ACTIVE_MS
      if (isActive) void refreshQueries(WAITING)
    }, QUICK_REFRESH_MS)
    for (const name of ACTIVITY_EVENTS) addEventListener(name, noteActivity)
    return () => {
      clearInterval(timer)
      for (const name of ACTIVITY_EVENTS) removeEventListener(name, noteActivity)
    }
  }, [isQuick])
  return list
}
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focus'] as const

/** Refreshes the user's data when the waiting approvals of this agent change: its page must be as new as the menu. */
export function useFollowWaiting(agentId: string): void {
  const waiting = useWaitingApprovals().data?.filter((one) => one.agentId === agentId)
  const ids = waiting?.map(({ approvalId }) => approvalId).join()
  const known = useRef(ids)
  useEffect(() => {
    if (known.current !== undefined && ids !== known.current) void refreshQueries('user/')
    known.current = ids
  }, [ids])
}

/** Approvals in a state, of all agents of the user, or with `all` of everybody. */
export const useApprovalsIn = (state: ListedState, all: boolean): PagedList<ApprovalOfAgent> =>
  usePagedList({
    key: `user/approvals/${state}/${all}`,
    read: (client, cursor) => client.waitingApprovals({ state, all, ...cursor }).then(toPage),
    everyMs: 30_000,
  })

/** One approval in any state. */
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
