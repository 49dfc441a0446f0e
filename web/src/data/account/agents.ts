import type { Client, Input, Reply } from '@stakewright/client'
import { type PagedList, usePagedList } from '../lists/paged-list.ts'
import { PAGE, toPage } from '../lists/read-pages.ts'
import { type Loaded, useQuery } from '../query.ts'
import { OWN_REFRESH_MS } from './own-refresh.ts'

export type Agent = Reply<'listAgents'>['data'][number]
export type AuditEntry = Reply<'agentAudit'>['data'][number]

/** Which agents to read: `all` means those of every owner, otherwise the user's own. */
export type AgentQuery = Pick<Input<'listAgents'>, 'all' | 'search' | 'status' | 'exceptName'>

/** Newest first. */
export const useAgents = (query: AgentQuery | undefined): PagedList<Agent> =>
  usePagedList(
    query && {
      key: `user/agents/${JSON.stringify(query)}`,
      read: (client, cursor) => client.listAgents({ ...query, ...cursor }).then(toPage),
      everyMs: OWN_REFRESH_MS,
    },
  )

/** The first page of the newest agents of all owners; for admins. */
export const useNewestAgents = (exceptName: string): Loaded<readonly Agent[]> =>
  useQuery({
    key: 'user/agents/newest',
    ask: async (client) => (await client.listAgents({ all: true, exceptName, limit: PAGE })).data,
    everyMs: OWN_REFRESH_MS,
  })

export const useAgent = (id: string): Loaded<Agent> =>
  useQuery({
    key: `user/agent/${id}`,
    ask: async (client) => (await client.readAgent({ id })).data,
    everyMs: OWN_REFRESH_MS,
  })

export const useProfile = (id: string): Loaded<Reply<'agentProfile'>['data']> =>
  useQuery({
    key: `user/profile/${id}`,
    ask: async (client: Client) => (await client.agentProfile({ id })).data,
    everyMs: OWN_REFRESH_MS,
  })

/** Requests of an agent and actions on it, newest first. */
export const useAudit = (id: string): PagedList<AuditEntry> =>
  usePagedList({
    key: `user/audit/${id}`,
    read: (client, cursor) => client.agentAudit({ id, ...cursor }).then(toPage),
    everyMs: OWN_REFRESH_MS,
  })

/** Management actions of everybody, newest first; for admins. */
export const useActions = (action: AuditEntry['action'] | undefined): PagedList<AuditEntry> =>
  usePagedList({
    key: `user/actions/${action ?? ''}`,
    read: (client, cursor) => client.listActions({ ...(action && { action }), ...cursor }).then(toPage),
    everyMs: OWN_REFRESH_MS,
  })
