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

/** How often the list is asked for while it is looked at: an agent waits on the other side. */
const AWAITED_MS = 4_000
/** For so long after the reader did something: an open list must not use up the requests of the day. */
const PRESENT_MS = 600_000

/** The same for the page of what waits, which shows a new one within seconds as long as somebody is there. */
export function useAwaitedApprovals(): PagedList<ApprovalOfAgent> {
  const list = useWaitingApprovals()
  // Refused, it waits as it is told; longer than a page, a look would cost several requests.
  const isQuick = list.error === undefined && (list.data?.length ?? 0) < PAGE
  useEffect(() => {
    if (!isQuick) return
    let presentAt = Date.now()
    const note = () => {
      presentAt = Date.now()
    }
    const timer = setInterval(() => {
      const isPresent = document.visibilityState === 'visible' && Date.now() - presentAt < PRESENT_MS
      if (isPresent) void refreshQueries(WAITING)
    }, AWAITED_MS)
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, note)
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, note)
    }
  }, [isQuick])
  return list
}
const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown', 'focus'] as const

/** Reads the user's data anew when the menu knows of another approval of this agent: its page must not be behind. */
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
