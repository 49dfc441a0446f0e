import type { Client, Input, Reply } from '@stakewright/client'
import { type Loaded, useQuery } from '../query.ts'
import { OWN_EVERY_MS } from './own-every.ts'

export type Agent = Reply<'listAgents'>['data'][number]
export type AuditEntry = Reply<'agentAudit'>['data'][number]

const PAGE = 100
const MOST_PAGES = 5
/** More are not read at once. */
export const MOST_AGENTS = PAGE * MOST_PAGES

/** Which agents to read: `all` of everybody, or one's own; the newest 500 of them. */
export type AgentQuery = Pick<Input<'listAgents'>, 'all' | 'search' | 'status' | 'exceptName'>

export const useAgents = (query: AgentQuery | undefined): Loaded<readonly Agent[]> =>
  useQuery(
    query && {
      key: `user/agents/${JSON.stringify(query)}`,
      ask: (client) => readAll((cursor) => client.listAgents({ limit: PAGE, ...query, ...cursor })),
      everyMs: OWN_EVERY_MS,
    },
  )

export const useAgent = (id: string): Loaded<Agent> =>
  useQuery({
    key: `user/agent/${id}`,
    ask: async (client) => (await client.readAgent({ id })).data,
    everyMs: OWN_EVERY_MS,
  })

export const useProfile = (id: string): Loaded<Reply<'agentProfile'>['data']> =>
  useQuery({
    key: `user/profile/${id}`,
    ask: async (client: Client) => (await client.agentProfile({ id })).data,
    everyMs: OWN_EVERY_MS,
  })

/** The newest 500 requests of an agent. */
export const useAudit = (id: string): Loaded<readonly AuditEntry[]> =>
  useQuery({
    key: `user/audit/${id}`,
    ask: (client) => readAll((cursor) => client.agentAudit({ id, limit: PAGE, ...cursor })),
    everyMs: OWN_EVERY_MS,
  })

/** The newest 500 management actions of everybody; for admins. */
export const useActions = (action: AuditEntry['action'] | undefined): Loaded<readonly AuditEntry[]> =>
  useQuery({
    key: `user/actions/${action ?? ''}`,
    ask: (client) =>
      readAll((cursor) => client.listActions({ limit: PAGE, ...(action && { action }), ...cursor })),
    everyMs: OWN_EVERY_MS,
  })

type Paged<T> = { readonly data: readonly T[]; readonly nextCursor: string | null }

async function readAll<T>(
  read: (cursor: { readonly cursor?: string }) => Promise<Paged<T>>,
): Promise<readonly T[]> {
  const found: T[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer: Paged<T> = await read(cursor === null ? {} : { cursor })
    found.push(...answer.data)
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  return found
}
