import { PREVIOUS_KEY_ID, type Reply } from '@stakewright/contract'
import {
  type CurrentKey,
  createNamedKey,
  listNamedKeys,
  type MadeKey,
  revokeNamedKey,
} from '#domain/agents/keys/named-keys.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { Endpoints } from '../../endpoint.ts'
import { arrangeReply } from '../../lists/arrange-list.ts'
import type { DoOnce } from '../../once/do-once.ts'
import { toIsoOrNull } from '../shapes.ts'
import { managerOf, STORE_IT } from './managed-call.ts'

type Needs = Parameters<typeof createNamedKey>[0] & { readonly once: DoOnce }

/** The named keys of an agent. */
export function keyEndpoints(needs: Needs) {
  const list = listNamedKeys(needs)
  const create = createNamedKey(needs)
  const revoke = revokeNamedKey(needs)
  return {
    listKeys: {
      handle: async ({ id, ...request }, { caller }) => {
        const data = (await list(caller, id)).map(toNamedKey)
        return { answer: arrangeReply({ success: true, data }, 'listKeys', request, id) }
      },
    },
    createKey: {
      handle: async ({ id, name, scopes, allowedNetworks, expiresAt }, call) => {
        const end = expiresAt === undefined ? undefined : Date.parse(expiresAt)
        const wishes = { name, scopes, networks: allowedNetworks, expiresAt: end }
        call.note({ agentId: id })
        return needs.once(call, {
          endpoint: 'createKey',
          status: 201,
          input: { id, ...wishes },
          run: (once) => create(managerOf(call), id, wishes, once),
          toReply: ({ key, apiKey }: MadeKey) => ({
            success: true as const,
            data: { ...toNamedKey(key), apiKey, warning: STORE_IT },
          }),
        })
      },
    },
    revokeKey: {
      handle: async ({ id, keyId }, call) => {
        const { revokedAt } = await revoke(managerOf(call), id, keyId === PREVIOUS_KEY_ID ? undefined : keyId)
        call.note({ agentId: id, keyId })
        return {
          reply: { success: true, data: { id: keyId, status: 'revoked', revokedAt: toIso(revokedAt) } },
        }
      },
    },
  } satisfies Endpoints
}

function toNamedKey(key: CurrentKey): Reply<'listKeys'>['data'][number] {
  return {
    id: key.id,
    name: key.name,
    keyPrefix: key.prefix,
    scopes: key.scopes,
    allowedNetworks: key.networks,
    status: key.status,
    createdAt: toIso(key.createdAt),
    expiresAt: toIsoOrNull(key.expiresAt),
    lastUsedAt: toIsoOrNull(key.lastUsedAt),
    revokedAt: toIsoOrNull(key.revokedAt),
  }
}
