import type { reportLeakedKey, revokeOwnKey } from '#domain/agents/keys/revoke-by-key.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { Endpoints } from '../../endpoint.ts'

type Needs = {
  readonly revokeOwnKey: ReturnType<typeof revokeOwnKey>
  readonly reportLeakedKey: ReturnType<typeof reportLeakedKey>
}

const REPORTED =
  'Thank you. Every working key in it is revoked now and its owner is told. A key that is cut short or mistyped is not found.'

/** Revocation of keys without a sign-in. */
export function keyRevocationEndpoints({ revokeOwnKey, reportLeakedKey }: Needs) {
  return {
    revokeSelf: {
      handle: async (_, { caller, client, via }) => {
        const sent = { keyDigest: caller.keyDigest(), agentId: caller.agent.id, client, via }
        const { id, revokedAt } = await revokeOwnKey(sent)
        // Revoking a named key leaves its agent active, so the answer has the id of the key.
        return {
          reply: {
            success: true,
            data: { id: caller.agent.key?.id ?? id, status: 'revoked', revokedAt: toIso(revokedAt) },
          },
        }
      },
    },
    reportLeak: {
      handle: async ({ apiKey }, { client, via, note }) => {
        const { agentId } = await reportLeakedKey(apiKey, { client, via })
        if (agentId !== undefined) note({ agentId })
        return { reply: { success: true, data: { message: REPORTED } } }
      },
    },
  } satisfies Endpoints
}
