import type { Input, Reply } from '@stakewright/client'
import { type Loaded, useQuery } from '../query.ts'
import { OWN_REFRESH_MS } from './own-refresh.ts'

export type NamedKey = Reply<'listKeys'>['data'][number]
export type NewKey = Omit<Input<'createKey'>, 'id'>
export type KeyScope = NamedKey['scopes'][number]
export type SignedInSession = Reply<'listSessions'>['data'][number]

/** Keys of an agent beside its primary one. */
export const useNamedKeys = (id: string): Loaded<readonly NamedKey[]> =>
  useQuery({
    key: `user/keys/${id}`,
    ask: async (client) => (await client.listKeys({ id })).data,
    everyMs: OWN_REFRESH_MS,
  })

/** The user's sessions. */
export const useSessions = (): Loaded<readonly SignedInSession[]> =>
  useQuery({
    key: 'user/sessions',
    ask: async (client) => (await client.listSessions()).data,
    everyMs: OWN_REFRESH_MS,
  })
